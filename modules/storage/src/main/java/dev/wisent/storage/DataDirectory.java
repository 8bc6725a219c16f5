package dev.wisent.storage;

import dev.wisent.base.disk.OnDisk;
import dev.wisent.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;

/**
 * The files around RocksDB in a data directory: {@code wisent.format} holds the format version,
 * {@code wisent.lock} the process id of the owner (information for people; {@link DirectoryLock}
 * and RocksDB's own lock are what excludes others), and {@code data/} the RocksDB database, in a
 * directory of its own so that it can be replaced as a whole. {@link TemporaryFiles} adds {@code
 * _tmp/}.
 */
final class DataDirectory {
  static final int FORMAT_VERSION = 1;
  static final String FORMAT_FILE = "wisent.format";
  static final String LOCK_FILE = "wisent.lock";
  static final String DATA_DIRECTORY = "data";

  /** The format file while {@code wisent backup restore} fills the directory. */
  private static final String RESTORE_MARK = "wisent.format.incomplete";

  private static final String FORMAT_PREFIX = "wisent format ";

  private final Path root;

  DataDirectory(Path root) {
    this.root = root;
  }

  Path root() {
    return root;
  }

  Path data() {
    return root.resolve(DATA_DIRECTORY);
  }

  /** Creates the directory when absent and checks that we can use it. */
  void prepare() {
    try {
      Files.createDirectories(root);
    } catch (IOException e) {
      throw notWritable("cannot be created", e);
    }
    if (!Files.isWritable(root)) {
      throw notWritable("is not writable by this user", null);
    }
    try {
      checkFormat();
      ContentsSwitch.finish(this);
    } catch (IOException e) {
      throw failure("prepare", e);
    }
  }

  /** Checks that there is a store that this version reads. */
  void checkReadable() {
    try {
      requireFormat(format());
    } catch (IOException e) {
      throw failure("read", e);
    }
  }

  private void checkFormat() throws IOException {
    String text;
    try {
      text = format();
    } catch (NoSuchFileException e) {
      refuseForeignFiles();
      writeFormat();
      return;
    }
    requireFormat(text);
  }

  private String format() throws IOException {
    return Files.readString(root.resolve(FORMAT_FILE), StandardCharsets.UTF_8).strip();
  }

  private void requireFormat(String text) {
    if (!text.equals(FORMAT_PREFIX + FORMAT_VERSION)) {
      throw new StorageException(
          Kind.FORMAT,
          "The data directory "
              + root
              + " has format '"
              + text
              + "', but this version reads and writes '"
              + FORMAT_PREFIX
              + FORMAT_VERSION
              + "'. Use the version that made it, or dump there and restore here.");
    }
  }

  private void refuseForeignFiles() {
    if (Files.exists(root.resolve(RESTORE_MARK))) {
      throw new StorageException(
          Kind.FORMAT,
          "The directory "
              + root
              + " holds '"
              + RESTORE_MARK
              + "': a restore of a backup is under way or was interrupted. Repeat the restore.");
    }
    for (String name : new String[] {DATA_DIRECTORY, "CURRENT", "WiredTiger", "storage.bson"}) {
      if (Files.exists(root.resolve(name))) {
        throw new StorageException(
            Kind.FORMAT,
            "The directory "
                + root
                + " has no "
                + FORMAT_FILE
                + " file but holds '"
                + name
                + "', so it was made by another program or is incomplete. Choose an empty one.");
      }
    }
  }

  /** Writes the format file so that it is there completely or not at all, also after a crash. */
  void writeFormat() throws IOException {
    OnDisk.replace(root.resolve(FORMAT_FILE), List.of(FORMAT_PREFIX + FORMAT_VERSION));
  }

  /** Whether the process that opened the directory last did not close it. */
  boolean hasOwner() throws IOException {
    Path lock = root.resolve(LOCK_FILE);
    return Files.exists(lock) && Files.size(lock) > 0;
  }

  void writeOwner() {
    try {
      write(root.resolve(LOCK_FILE), ProcessHandle.current().pid() + "\n");
    } catch (IOException e) {
      throw failure("write to", e);
    }
  }

  void clearOwner() {
    try {
      write(root.resolve(LOCK_FILE), "");
    } catch (IOException e) {
      // The file is only a hint for people; a stale process id in it does no harm.
    }
  }

  /** What a person should know when RocksDB cannot open the directory. */
  StorageException openFailure(RocksDBException e) {
    return switch (RocksErrors.kind(e)) {
      case LOCKED -> locked(e);
      case CORRUPT ->
          new StorageException(
              Kind.CORRUPT,
              "The data directory "
                  + root
                  + " is damaged: "
                  + e.getMessage()
                  + ". Restore a backup.",
              e);
      case NOT_WRITABLE, FULL, TOO_LARGE, FORMAT, IO, CLOSED, REPLACED ->
          RocksErrors.translate("open the data directory " + root, e);
    };
  }

  StorageException locked(Throwable cause) {
    String owner;
    try {
      owner = Files.readString(root.resolve(LOCK_FILE), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      owner = "";
    }
    return new StorageException(
        Kind.LOCKED,
        "The data directory "
            + root
            + " is in use by "
            + (owner.isEmpty() ? "another process" : "process " + owner)
            + ". Stop it, or choose another directory.",
        cause);
  }

  /** Removes a directory with everything in it, if it is there. */
  static void deleteRecursively(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    } catch (NoSuchFileException e) {
      // Nothing to remove.
    }
  }

  StorageException failure(String action, IOException e) {
    if (e instanceof AccessDeniedException) {
      return notWritable("is not writable by this user", e);
    }
    return new StorageException(
        DiskSpace.isFull(e) ? Kind.FULL : Kind.IO,
        "Cannot " + action + " the data directory " + root + ": " + e.getMessage(),
        e);
  }

  private StorageException notWritable(String why, IOException e) {
    String detail = e == null ? "" : " (" + e.getMessage() + ")";
    return new StorageException(
        Kind.NOT_WRITABLE, "The data directory " + root + " " + why + detail, e);
  }

  private static void write(Path file, String text) throws IOException {
    OnDisk.write(file, text.getBytes(StandardCharsets.UTF_8));
  }
}
