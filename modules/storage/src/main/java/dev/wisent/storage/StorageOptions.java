package dev.wisent.storage;

import java.nio.file.Path;
import java.util.Objects;

/**
 * How to open a data directory.
 *
 * @param dbPath the data directory; created when absent
 * @param cacheBytes size of the shared block cache, off the Java heap
 * @param writeBufferBytes size of a memtable of the large keyspaces before it is flushed
 * @param journalIntervalMillis the longest time an acknowledged write may wait for its fsync when
 *     none was asked for
 * @param acceptDamagedLog start although the write-ahead log is damaged before its end, keeping
 *     what precedes the damage. Off by default, because it may drop acknowledged writes; meant for
 *     an explicit repair.
 * @param replicatedLog changes come from a log that others keep, too, and that is applied again
 *     from where the store is: they are not written to a log of the store's own
 */
public record StorageOptions(
    Path dbPath,
    long cacheBytes,
    long writeBufferBytes,
    int journalIntervalMillis,
    boolean acceptDamagedLog,
    boolean replicatedLog) {

  private static final long MIB = 1L << 20;

  public StorageOptions {
    Objects.requireNonNull(dbPath, "dbPath");
    requireAtLeast("cacheBytes", cacheBytes, MIB);
    requireAtLeast("writeBufferBytes", writeBufferBytes, 64 << 10);
    requireAtLeast("journalIntervalMillis", journalIntervalMillis, 1);
  }

  /** 256 MiB of cache, 64 MiB write buffers, a journal interval of 100 ms. */
  public static StorageOptions defaults(Path dbPath) {
    return new StorageOptions(dbPath, 256 * MIB, 64 * MIB, 100, false, false);
  }

  public StorageOptions withCacheBytes(long bytes) {
    return new StorageOptions(
        dbPath, bytes, writeBufferBytes, journalIntervalMillis, acceptDamagedLog, replicatedLog);
  }

  public StorageOptions withWriteBufferBytes(long bytes) {
    return new StorageOptions(
        dbPath, cacheBytes, bytes, journalIntervalMillis, acceptDamagedLog, replicatedLog);
  }

  public StorageOptions withJournalIntervalMillis(int millis) {
    return new StorageOptions(
        dbPath, cacheBytes, writeBufferBytes, millis, acceptDamagedLog, replicatedLog);
  }

  public StorageOptions withAcceptDamagedLog(boolean accept) {
    return new StorageOptions(
        dbPath, cacheBytes, writeBufferBytes, journalIntervalMillis, accept, replicatedLog);
  }

  /** For a member of a replica set. */
  public StorageOptions withReplicatedLog() {
    return new StorageOptions(
        dbPath, cacheBytes, writeBufferBytes, journalIntervalMillis, acceptDamagedLog, true);
  }

  private static void requireAtLeast(String name, long value, long min) {
    if (value < min) {
      throw new IllegalArgumentException(name + " must be at least " + min + ", but is " + value);
    }
  }
}
