package dev.wisent.tools.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What is said of files that are not as their backup has them. */
final class Damage {
  private Damage() {}

  /** Null for a file that is there and has its length. */
  static String ofLength(Path path, StoredFile file, BackupManifest backup) throws IOException {
    if (!Files.exists(path)) {
      return missing(path, file, backup);
    }
    long bytes = Files.size(path);
    return bytes == file.bytes() ? null : length(path, file, backup, bytes);
  }

  private static String missing(Path path, StoredFile file, BackupManifest backup) {
    return "%s is missing, which is %s of backup %s".formatted(path, file.name(), backup.id());
  }

  private static String length(Path path, StoredFile file, BackupManifest backup, long bytes) {
    return "%s is damaged, which is %s of backup %s: it has %d bytes, and had %d"
        .formatted(path, file.name(), backup.id(), bytes, file.bytes());
  }

  static String content(Path path, StoredFile file, BackupManifest backup) {
    return "%s is damaged, which is %s of backup %s: its SHA-256 is another one"
        .formatted(path, file.name(), backup.id());
  }
}
