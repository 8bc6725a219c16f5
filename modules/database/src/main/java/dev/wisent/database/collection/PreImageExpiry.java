package dev.wisent.database.collection;

import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.oplog.PreImageTimes;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.oplog.PreImageLifetime;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.OplogKeys;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.StorageEngine;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Removes images that are no longer needed: those whose oplog entry is gone, and those that are
 * older than the parameter allows. The leader decides, and the log tells all members. Images are in
 * the order of time, so that a removal is one range of records.
 */
public final class PreImageExpiry {
  /** Bounds what one removal reads, and how long it holds the gate. */
  private static final int BATCH = 10_000;

  private final StorageEngine storage;
  private final CommitLog log;
  private final WriteGate gate;
  private final Catalog catalog;
  private final ReentrantLock removing = new ReentrantLock();

  public PreImageExpiry(StorageEngine storage, CommitLog log, WriteGate gate, Catalog catalog) {
    this.storage = storage;
    this.log = log;
    this.gate = gate;
    this.catalog = catalog;
  }

  /** Whether there is anything that could expire. */
  public boolean hasImages() {
    Collection images = catalog.find(PreImages.NAMESPACE);
    return images != null && images.documents() > 0;
  }

  /** Removes what has expired; returns how many images went. */
  public long expire(PreImageLifetime lifetime, OperationContext operation) {
    long removed = 0;
    long batch;
    do {
      operation.checkNow();
      batch = removeBatch(lifetime, operation);
      removed += batch;
    } while (batch == BATCH);
    return removed;
  }

  private long removeBatch(PreImageLifetime lifetime, OperationContext operation) {
    gate.enter(operation);
    try {
      operation.acquire(removing);
      try {
        Collection images = catalog.find(PreImages.NAMESPACE);
        return images == null ? 0 : removeLocked(images, lifetime, operation);
      } finally {
        removing.unlock();
      }
    } finally {
      gate.leave();
    }
  }

  private long removeLocked(
      Collection images, PreImageLifetime lifetime, OperationContext operation) {
    var expired = new Expired(oldestEntry(), lastWallMillis(lifetime, operation));
    expired.measure(images.ident(), operation);
    if (expired.count == 0) {
      return 0;
    }
    var counters = new CounterDelta(images);
    counters.add(-expired.count, -expired.bytes);
    var mutation =
        new MutationBuilder()
            .deleteRange(
                Keyspace.RECORDS,
                RecordKeys.recordKey(images.ident(), expired.first),
                RecordKeys.recordKey(images.ident(), expired.last + 1));
    counters.write(mutation);
    CommitFuture commit = log.submit(mutation.build());
    OperationState.awaitApplied(commit, operation);
    OperationState.committed(operation, commit);
    counters.committed();
    return expired.count;
  }

  /** The timestamp of the oldest oplog entry; 0, before which nothing is, if there is none. */
  private long oldestEntry() {
    try (KeyValueCursor cursor = storage.cursor(Keyspace.OPLOG, null, null, false)) {
      return cursor.next() ? OplogKeys.timestamp(cursor.key()) : 0;
    }
  }

  private static long lastWallMillis(PreImageLifetime lifetime, OperationContext operation) {
    return lifetime.seconds() == 0
        ? Long.MIN_VALUE
        : operation.clock().wallMillis() - TimeUnit.SECONDS.toMillis(lifetime.seconds());
  }

  /** The oldest images, as far as they have expired. */
  private final class Expired {
    private final long oldestEntry;
    private final long lastWallMillis;
    private final byte[] header = new byte[PreImageTimes.HEADER_BYTES];
    private long first;
    private long last;
    private long count;
    private long bytes;

    Expired(long oldestEntry, long lastWallMillis) {
      this.oldestEntry = oldestEntry;
      this.lastWallMillis = lastWallMillis;
    }

    void measure(int ident, OperationContext operation) {
      try (KeyValueCursor cursor =
          storage.cursor(
              Keyspace.RECORDS,
              RecordKeys.lowerBound(ident),
              RecordKeys.upperBound(ident),
              false)) {
        while (count < BATCH && cursor.next()) {
          operation.checkInterrupt();
          int length = cursor.readValue(header, 0);
          if (!hasExpired()) {
            return;
          }
          last = RecordKeys.recordId(cursor.key());
          if (count == 0) {
            first = last;
          }
          count++;
          bytes += length;
        }
      }
    }

    private boolean hasExpired() {
      return Long.compareUnsigned(PreImageTimes.timestamp(header), oldestEntry) < 0
          || PreImageTimes.wallMillis(header) <= lastWallMillis;
    }
  }
}
