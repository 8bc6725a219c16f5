package dev.wisent.tools.backup;

/**
 * A file of a backup.
 *
 * @param name below the data directory, with {@code /} between directories
 * @param sha256 of its bytes, in hexadecimal digits
 * @param stored its name in the backup directory
 */
record StoredFile(String name, long bytes, String sha256, String stored) {
  StoredFile {
    check(BackupNames.isInside(name), "name of a file", name);
    check(bytes >= 0, "size", Long.toString(bytes));
    check(BackupNames.isSha256(sha256), "SHA-256", sha256);
    check(BackupNames.isStored(stored), "name of a stored file", stored);
  }

  private static void check(boolean valid, String what, String value) {
    if (!valid) {
      throw new IllegalArgumentException("impossible " + what + ": " + value);
    }
  }
}
