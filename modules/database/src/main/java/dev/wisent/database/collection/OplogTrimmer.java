package dev.wisent.database.collection;

import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.snapshot.PreparedTransactions;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.oplog.OplogLimits;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.OplogKeys;
import dev.wisent.storage.StorageEngine;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the oplog within its limits. The leader decides what goes, and the log tells all members:
 * so the oplog is the same on all members. The newest entry always stays, and so does the oldest
 * preparation of a transaction that has no outcome yet: the next leader takes it up from there.
 */
public final class OplogTrimmer {
  /** It is trimmed when it is larger by this part than it may be, so that few deletions do. */
  private static final int SLACK_PARTS = 100;

  private static final int SECONDS_SHIFT = 32;
  private static final double SECONDS_PER_HOUR = TimeUnit.HOURS.toSeconds(1);

  private final StorageEngine storage;
  private final CommitLog log;
  private final WriteGate gate;
  private final Oplog oplog;
  private final PreImageExpiry preImages;
  private final PreparedTransactions prepared;
  private final ReentrantLock trimming = new ReentrantLock();

  public OplogTrimmer(
      StorageEngine storage,
      CommitLog log,
      WriteGate gate,
      Catalog catalog,
      PreparedTransactions prepared) {
    this.prepared = prepared;
    this.storage = storage;
    this.log = log;
    this.gate = gate;
    this.oplog = catalog.oplog();
    this.preImages = new PreImageExpiry(storage, log, gate, catalog);
  }

  /** Removes images of documents whose oplog entries are gone. */
  public PreImageExpiry preImages() {
    return preImages;
  }

  /** Sets limits for all members. What is too much for them goes with the next {@link #trim}. */
  public void limit(OplogLimits limits, OperationContext operation) {
    gate.enter(operation);
    try {
      commit(
          new MutationBuilder()
              .put(Keyspace.SYSTEM, OplogKeys.limits(), limits.encode().toByteArray()),
          operation);
    } finally {
      gate.leave();
    }
  }

  /** Removes the oldest entries if there is too much; returns how many went. */
  public long trim(OperationContext operation) {
    gate.enter(operation);
    try {
      operation.acquire(trimming);
      try {
        return trimLocked(operation);
      } finally {
        trimming.unlock();
      }
    } finally {
      gate.leave();
    }
  }

  private long trimLocked(OperationContext operation) {
    if (!oplog.hasStoredLimits()) {
      // From now on they are the same under every leader.
      limit(oplog.limits(), operation);
    }
    OplogLimits limits = oplog.limits();
    long excessBytes = oplog.bytes() - limits.bytesMax();
    if (excessBytes <= limits.bytesMax() / SLACK_PARTS) {
      return 0;
    }
    var oldest = new Oldest();
    oldest.measure(excessBytes, lastToGo(limits, operation), operation);
    if (oldest.entries == 0) {
      return 0;
    }
    commit(
        new MutationBuilder()
            .deleteRange(
                Keyspace.OPLOG, OplogKeys.entry(oldest.first), OplogKeys.entry(oldest.next))
            .add(Keyspace.SYSTEM, OplogKeys.entries(), -oldest.entries)
            .add(Keyspace.SYSTEM, OplogKeys.bytes(), -oldest.bytes),
        operation);
    return oldest.entries;
  }

  private long lastToGo(OplogLimits limits, OperationContext operation) {
    long undecided = prepared.beforeOldest();
    long old = lastOfAge(limits, operation);
    return Long.compareUnsigned(undecided, old) < 0 ? undecided : old;
  }

  /** The last time whose entries are old enough to go; without such a rule, the end of time. */
  private static long lastOfAge(OplogLimits limits, OperationContext operation) {
    if (limits.minRetentionHours() <= 0) {
      return -1;
    }
    long nowSeconds = TimeUnit.MILLISECONDS.toSeconds(operation.clock().wallMillis());
    long keptSeconds = (long) (limits.minRetentionHours() * SECONDS_PER_HOUR);
    return Math.max(0, nowSeconds - keptSeconds) << SECONDS_SHIFT;
  }

  private void commit(MutationBuilder mutation, OperationContext operation) {
    CommitFuture commit = log.submit(mutation.build());
    OperationState.awaitApplied(commit, operation);
    OperationState.committed(operation, commit);
  }

  /** Entries from the oldest on. */
  private final class Oldest {
    private long first;
    private long next;
    private long entries;
    private long bytes;

    /** Takes entries until there are enough of them, but none later than told nor the newest. */
    void measure(long enoughBytes, long last, OperationContext operation) {
      try (KeyValueCursor cursor = storage.cursor(Keyspace.OPLOG, null, null, false)) {
        boolean more = cursor.next();
        while (more && bytes < enoughBytes) {
          operation.checkInterrupt();
          long timestamp = OplogKeys.timestamp(cursor.key());
          int length = cursor.valueLength();
          more = cursor.next();
          if (!more || Long.compareUnsigned(timestamp, last) > 0) {
            return;
          }
          if (entries == 0) {
            first = timestamp;
          }
          next = timestamp + 1;
          entries++;
          bytes += length;
        }
      }
    }
  }
}
