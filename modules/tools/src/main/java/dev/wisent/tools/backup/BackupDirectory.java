package dev.wisent.tools.backup;

import dev.wisent.base.disk.OnDisk;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A directory with backups, which is locked while it is open. Files may be added by several threads
 * at a time; everything else is for one.
 */
final class BackupDirectory implements AutoCloseable {
  private static final String FORMAT_FILE = "format";
  private static final String FORMAT = "wisent backups 1";
  private static final String LOCK_FILE = "lock";
  private static final String MANIFESTS = "backups";
  private static final String FILES = "files";
  private static final String JSON = ".json";

  /** Files that are not complete. */
  private static final String PART = OnDisk.INCOMPLETE;

  /** How many letters of a name choose the directory below {@link #FILES}. */
  private static final int FAN_OUT = 2;

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path root;
  private final FileChannel lockFile;

  private BackupDirectory(Path root, FileChannel lockFile) {
    this.root = root;
    this.lockFile = lockFile;
  }

  /** Opens one that is there. */
  static BackupDirectory open(Path root) throws ToolException {
    if (!Files.exists(root.resolve(FORMAT_FILE))) {
      throw ToolException.failed(root + " is no backup directory: it has no file 'format'");
    }
    return locked(root);
  }

  /** Opens one, or makes it of a directory that is empty or not there. */
  static BackupDirectory openOrCreate(Path root) throws ToolException {
    try {
      create(root);
      if (!Files.exists(root.resolve(FORMAT_FILE))) {
        try (Stream<Path> others = Files.list(root)) {
          if (others.anyMatch(each -> !each.equals(OnDisk.incomplete(root.resolve(FORMAT_FILE))))) {
            throw ToolException.failed(root + " is no backup directory, and not empty");
          }
        }
        OnDisk.replace(root.resolve(FORMAT_FILE), List.of(FORMAT));
      }
      return locked(root);
    } catch (IOException e) {
      throw ToolException.failed("cannot use " + root + ": " + e, e);
    }
  }

  /** The files have all data, so a new directory is only for its owner. */
  private static void create(Path root) throws IOException {
    Path parent = root.toAbsolutePath().getParent();
    if (Files.isDirectory(root) || parent == null) {
      return;
    }
    Files.createDirectories(parent);
    if (Files.getFileStore(parent).supportsFileAttributeView(PosixFileAttributeView.class)) {
      Files.createDirectory(root, OWNER_ONLY);
    } else {
      Files.createDirectory(root);
    }
  }

  private static BackupDirectory locked(Path root) throws ToolException {
    try {
      String format = Files.readString(root.resolve(FORMAT_FILE), StandardCharsets.UTF_8).strip();
      if (!format.equals(FORMAT)) {
        throw ToolException.failed(
            root + " has format '" + format + "', but this version knows '" + FORMAT + "'");
      }
      FileChannel file =
          FileChannel.open(
              root.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!isLocked(file)) {
        file.close();
        throw ToolException.failed(root + " is in use by another 'wisent backup'");
      }
      return new BackupDirectory(root, file);
    } catch (IOException e) {
      throw ToolException.failed("cannot use " + root + ": " + e, e);
    }
  }

  private static boolean isLocked(FileChannel file) throws IOException {
    try {
      FileLock lock = file.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false; // by another thread of this process
    }
  }

  Path root() {
    return root;
  }

  private Path manifest(String id) {
    return root.resolve(MANIFESTS).resolve(id + JSON);
  }

  /** The ids of all backups, the oldest first. */
  List<String> ids() throws IOException {
    try (Stream<Path> files = Files.list(root.resolve(MANIFESTS))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(JSON))
          .map(name -> name.substring(0, name.length() - JSON.length()))
          .sorted()
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  BackupManifest read(String id) throws IOException, ToolException {
    Path file = manifest(id);
    try {
      return ManifestFormat.read(Files.readString(file, StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      throw ToolException.failed(
          "there is no backup '" + id + "' in " + root + "; see wisent backup list");
    } catch (ManifestFormat.UnreadableException e) {
      throw ToolException.failed(file + " " + e.getMessage(), e);
    }
  }

  /** All backups, the oldest first. */
  List<BackupManifest> all() throws IOException, ToolException {
    List<BackupManifest> all = new ArrayList<>();
    for (String id : ids()) {
      all.add(read(id));
    }
    return all;
  }

  /** Makes a backup of files that are all here. */
  void add(BackupManifest manifest) throws IOException {
    Files.createDirectories(root.resolve(MANIFESTS));
    OnDisk.forceDirectory(root);
    OnDisk.replace(
        manifest(manifest.id()), ManifestFormat.write(manifest).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Removes backups, and then the files that no other one has. Fails, and removes nothing, if one
   * that stays is damaged: those to be removed may be all that can be restored.
   */
  void remove(List<String> ids) throws IOException, ToolException {
    try {
      for (String id : ids()) {
        if (!ids.contains(id)) {
          checkFiles(read(id));
        }
      }
    } catch (ToolException e) {
      throw ToolException.failed("no backup is removed: " + e.getMessage(), e);
    }
    for (String id : ids) {
      OnDisk.delete(manifest(id));
    }
    removeUnused(Set.of());
  }

  private void checkFiles(BackupManifest backup) throws IOException, ToolException {
    for (StoredFile file : (Iterable<StoredFile>) backup.files()::iterator) {
      String damage = Damage.ofLength(file(file.stored()), file, backup);
      if (damage != null) {
        throw ToolException.failed(damage);
      }
    }
  }

  /** Where a file is that is complete. */
  Path file(String stored) {
    String group = stored.substring(0, Math.min(FAN_OUT, stored.length()));
    return root.resolve(FILES).resolve(group).resolve(stored);
  }

  /** A name for a file that is being written, in the directory of no other one. */
  Path part(String name) throws IOException {
    Path parts = root.resolve(FILES);
    Files.createDirectories(parts);
    return parts.resolve(name + PART);
  }

  /** Gives its name to a file that is complete; its directory is to be synced by {@link #sync}. */
  void keep(Path part, String stored) throws IOException {
    OnDisk.force(part);
    Path file = file(stored);
    Files.createDirectories(file.getParent());
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Has the names of all files on the disk. */
  void sync() throws IOException {
    for (Path group : groups()) {
      OnDisk.forceDirectory(group);
    }
    OnDisk.forceDirectory(root.resolve(FILES));
    OnDisk.forceDirectory(root);
  }

  private List<Path> groups() throws IOException {
    try (Stream<Path> groups = Files.list(root.resolve(FILES))) {
      return groups.filter(Files::isDirectory).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  private void removeParts() throws IOException {
    removeParts(root.resolve(FILES));
    removeParts(root.resolve(MANIFESTS));
  }

  private static void removeParts(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(each -> each.toString().endsWith(PART)).toList()) {
        Files.delete(file);
      }
    } catch (NoSuchFileException e) {
      // Nothing to remove.
    }
  }

  /**
   * Removes files that no backup has, and what was not completed. Fails, and removes nothing, if a
   * manifest is damaged.
   *
   * @param wanted names of files that stay, if they are there
   */
  void removeUnused(Set<String> wanted) throws IOException, ToolException {
    Set<String> used = new HashSet<>(wanted);
    for (BackupManifest manifest : all()) {
      manifest.files().forEach(file -> used.add(file.stored()));
    }
    removeParts();
    for (Path group : groups()) {
      try (Stream<Path> files = Files.list(group)) {
        for (Path file : files.toList()) {
          if (!used.contains(file.getFileName().toString())) {
            Files.delete(file);
          }
        }
      }
    }
  }

  @Override
  public void close() throws ToolException {
    try {
      lockFile.close();
    } catch (IOException e) {
      throw ToolException.failed("cannot close " + root + ": " + e, e);
    }
  }
}
