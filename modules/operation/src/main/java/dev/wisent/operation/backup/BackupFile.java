package dev.wisent.operation.backup;

/**
 * A file of a backup.
 *
 * @param name below the data directory, with {@code /} between directories
 * @param identity the same for the same file in every backup, and for no other file; null for a
 *     file that can change
 */
public record BackupFile(String name, long sizeBytes, String identity) {}
