package dev.wisent.storage;

import dev.wisent.storage.StorageException.Kind;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Whether a store has found its disk full. RocksDB takes no more changes then, until the store is
 * opened again, for which there has to be room. Thread-safe.
 */
final class FullDisk {
  private final RocksDB db;
  private final DataDirectory directory;
  private final boolean replicatedLog;
  private volatile StorageException failure;
  private volatile long reopeningBytes = DiskSpace.ROOM_BYTES;

  FullDisk(RocksDB db, DataDirectory directory, boolean replicatedLog) {
    this.db = db;
    this.directory = directory;
    this.replicatedLog = replicatedLog;
  }

  /** Notes what a change has met, and returns it. The caller holds the engine's guard. */
  StorageException note(StorageException e) {
    if (e.kind() == Kind.FULL && failure == null) {
      reopeningBytes = DiskSpace.ROOM_BYTES + replayedBytes();
      failure = e;
    }
    return e;
  }

  /** Memtables are written out when the log is replayed; without a log they are lost. */
  private long replayedBytes() {
    try {
      return replicatedLog ? 0 : db.getAggregatedLongProperty("rocksdb.cur-size-all-mem-tables");
    } catch (RocksDBException unknown) {
      return DiskSpace.ROOM_BYTES;
    }
  }

  /** What the first change that found it full has met; null if none has. */
  StorageException failure() {
    return failure;
  }

  /** Whether there is space to open the store again. */
  boolean hasRoom() {
    return DiskSpace.usableBytes(directory.root()) >= reopeningBytes;
  }
}
