package dev.wisent.tools.backup;

/**
 * A file of a backup.
 *
 * @param name below the data directory, with {@code /} between directories
 * @param sha256 of its bytes, in hexadecimal digits
 * @param stored its name in the backup directory
 */
record StoredFile(String name, long bytes, String sha256, String stored) {}
