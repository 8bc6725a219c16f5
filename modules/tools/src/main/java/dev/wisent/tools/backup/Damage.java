package dev.wisent.tools.backup;

import java.nio.file.Path;

/** What is said of files that are not as their backup has them. */
final class Damage {
  private Damage() {}

  static String missing(Path path, StoredFile file, BackupManifest backup) {
    return "%s is missing, which is %s of backup %s".formatted(path, file.name(), backup.id());
  }

  static String length(Path path, StoredFile file, BackupManifest backup, long bytes) {
    return "%s is damaged, which is %s of backup %s: it has %d bytes, and had %d"
        .formatted(path, file.name(), backup.id(), bytes, file.bytes());
  }

  static String content(Path path, StoredFile file, BackupManifest backup) {
    return "%s is damaged, which is %s of backup %s: its SHA-256 is another one"
        .formatted(path, file.name(), backup.id());
  }
}
