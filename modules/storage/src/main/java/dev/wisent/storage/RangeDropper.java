package dev.wisent.storage;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/**
 * Drops whole ranges: a range deletion hides the entries at once, and files that hold nothing else
 * are unlinked as soon as no snapshot from before can need them.
 *
 * <p>RocksDB unlinks such files without regard to snapshots, so the unlinking is put off while
 * there is an older one. (Open iterators and gets keep the files they use by themselves.) It also
 * goes to disk at once, unlike the log; therefore the log is synced first, or a power failure could
 * bring back a collection without its files. Under a replicated log, which keeps the changes
 * before, there is nothing to sync; the unlinking then waits for the next flush, and what a crash
 * forgets is done again when the log is. What is put off is forgotten at a restart; compaction then
 * frees the space by way of the range deletion.
 */
final class RangeDropper {
  private record Drop(ColumnFamilyHandle handle, byte[] lower, byte[] upper, long sequence) {}

  private final RocksDB db;
  private final WriteOptions writeOptions;
  private final StoppedWrites stopped;
  private final boolean replicatedLog;

  /** All changes up to here are in files. Guarded by this. */
  private long flushedSequence;

  /** Guarded by this. */
  private final Queue<Drop> waiting = new ArrayDeque<>();

  private volatile boolean anyWaiting;

  RangeDropper(
      RocksDB db, WriteOptions writeOptions, StoppedWrites stopped, boolean replicatedLog) {
    this.db = db;
    this.writeOptions = writeOptions;
    this.stopped = stopped;
    this.replicatedLog = replicatedLog;
  }

  void drop(ColumnFamilyHandle handle, byte[] lower, byte[] upper) throws RocksDBException {
    hide(handle, lower, upper);
    if (!replicatedLog) {
      db.syncWal();
    }
    Drop drop = new Drop(handle, lower, upper, db.getLatestSequenceNumber());
    synchronized (this) {
      if (isDue(drop)) {
        deleteFiles(drop);
      } else {
        waiting.add(drop);
        anyWaiting = true;
      }
    }
  }

  private void hide(ColumnFamilyHandle handle, byte[] lower, byte[] upper) throws RocksDBException {
    stopped.write(() -> db.deleteRange(handle, writeOptions, lower, upper));
  }

  boolean anyWaiting() {
    return anyWaiting;
  }

  /** Unlinks what was waiting for a snapshot that is gone. */
  synchronized void dropWaiting() throws RocksDBException {
    while (!waiting.isEmpty() && isDue(waiting.peek())) {
      Drop drop = waiting.remove();
      deleteFiles(drop);
      // By now the first range deletion may have been in one of these files; whatever it hid in a
      // file shared with a neighbour must stay hidden.
      hide(drop.handle, drop.lower, drop.upper);
    }
    anyWaiting = !waiting.isEmpty();
  }

  /** Learns that changes are in files now. */
  synchronized void flushed(long sequence) throws RocksDBException {
    flushedSequence = Math.max(flushedSequence, sequence);
    if (anyWaiting) {
      dropWaiting();
    }
  }

  private boolean isDue(Drop drop) throws RocksDBException {
    if (replicatedLog && flushedSequence < drop.sequence) {
      return false;
    }
    return db.getLongProperty("rocksdb.num-snapshots") == 0
        || db.getLongProperty("rocksdb.oldest-snapshot-sequence") >= drop.sequence;
  }

  private void deleteFiles(Drop drop) throws RocksDBException {
    db.deleteFilesInRanges(drop.handle, Arrays.asList(drop.lower, drop.upper), false);
  }
}
