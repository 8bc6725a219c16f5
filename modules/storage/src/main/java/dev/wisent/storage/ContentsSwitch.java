package dev.wisent.storage;

import dev.wisent.base.disk.OnDisk;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/**
 * Puts another database in the place of the one in a data directory, so that a crash at any moment
 * leaves one of the two, complete. The new one is made durable and moved to {@code data.new}; then
 * {@code data} becomes {@code data.old}, and {@code data.new} becomes {@code data}. At a start
 * {@link #finish} does what is left to do: a {@code data.new} counts only if there is no {@code
 * data} any more.
 *
 * <p>RocksDB's own lock is not held in the middle of this, therefore {@code data.switch} is locked.
 */
final class ContentsSwitch implements AutoCloseable {
  static final String LOCK_FILE = "data.switch";

  private static final String NEXT = "data.new";
  private static final String OLD = "data.old";

  private final DataDirectory directory;
  private final Path current;
  private final Path next;
  private final Path old;
  private final FileChannel lockFile;

  private ContentsSwitch(DataDirectory directory) throws IOException {
    this.directory = directory;
    this.current = directory.data();
    this.next = directory.root().resolve(NEXT);
    this.old = directory.root().resolve(OLD);
    this.lockFile =
        FileChannel.open(
            directory.root().resolve(LOCK_FILE),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
    lock();
  }

  private void lock() throws IOException {
    FileLock lock = null;
    try {
      lock = lockFile.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another engine of this process: told in the same way.
    } finally {
      if (lock == null) {
        lockFile.close();
      }
    }
    if (lock == null) {
      throw directory.locked(null);
    }
  }

  /** Where the database is that {@link #finish} would leave, however far a switch has come. */
  static Path current(DataDirectory directory) {
    Path next = directory.root().resolve(NEXT);
    Path old = directory.root().resolve(OLD);
    if (Files.exists(directory.data())) {
      return directory.data();
    }
    return Files.exists(next) || !Files.exists(old) ? next : old;
  }

  /** Brings a switch to its end that a crash has cut off. */
  static void finish(DataDirectory directory) throws IOException {
    if (!Files.exists(directory.root().resolve(LOCK_FILE))) {
      return;
    }
    try (var change = new ContentsSwitch(directory)) {
      if (!Files.exists(change.current) && Files.exists(change.next)) {
        change.move(change.next, change.current);
      } else if (!Files.exists(change.current) && Files.exists(change.old)) {
        change.move(change.old, change.current);
      }
      DataDirectory.deleteRecursively(change.next);
      DataDirectory.deleteRecursively(change.old);
    }
  }

  /** Takes in a checkpoint: a data directory. */
  static ContentsSwitch begin(DataDirectory directory, Path checkpoint) throws IOException {
    var change = new ContentsSwitch(directory);
    try {
      DataDirectory.deleteRecursively(change.next);
      DataDirectory.deleteRecursively(change.old);
      Path database = new DataDirectory(checkpoint).data();
      sync(database);
      change.move(database, change.next);
      DataDirectory.deleteRecursively(checkpoint);
      return change;
    } catch (IOException e) {
      change.close();
      throw e;
    }
  }

  void toNew() throws IOException {
    move(current, old);
    move(next, current);
  }

  /** The new contents are no good. */
  void toOld() throws IOException {
    if (Files.exists(old)) {
      DataDirectory.deleteRecursively(current);
      move(old, current);
    }
  }

  void removeOld() throws IOException {
    DataDirectory.deleteRecursively(old);
  }

  private void move(Path from, Path to) throws IOException {
    OnDisk.move(from, to);
  }

  private static void sync(Path database) throws IOException {
    try (Stream<Path> files = Files.list(database)) {
      for (Path file : files.toList()) {
        OnDisk.force(file);
      }
    } catch (NoSuchFileException e) {
      throw new NoSuchFileException(database.toString(), null, "is not a checkpoint");
    }
    OnDisk.forceDirectory(database);
  }

  @Override
  public void close() throws IOException {
    lockFile.close();
  }
}
