package dev.wisent.database.snapshot;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ReadPoints;
import dev.wisent.storage.FixedView;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.OplogKeys;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.Snapshot;
import dev.wisent.storage.StorageEngine;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * States of the store at cluster times of the recent past. One is kept when an operation has read
 * it, for others of its session will; and as long as there are such reads, also one after each step
 * in which the log is applied, for clients that have begun to read on another member. Where no
 * client reads the past, nothing is kept and nothing is done. Thread-safe.
 *
 * <p>A state is right for a time if nothing has been changed between the two; which of the oplog's
 * entries are between them tells.
 */
public final class SnapshotHistory implements ReadPoints {
  private static final int WINDOW_SECONDS_DEFAULT = 300;

  /** What a state holds back from being forgotten is bounded by their number, too. */
  private static final int STATES_MAX = 1000;

  private static final int SECONDS_SHIFT = 32;

  private final StorageEngine storage;
  private final PreparedTransactions prepared;
  private final TimeCrossings crossings = new TimeCrossings();
  private final Clock clock;

  /** By cluster time; guarded by this. */
  private final TreeMap<Long, Kept> states = new TreeMap<>(Long::compareUnsigned);

  private volatile int windowSeconds = WINDOW_SECONDS_DEFAULT;

  /** Until when states are kept that were not asked for yet, as the clock's nanoseconds. */
  private volatile long inUseUntilNanos;

  private volatile boolean inUse;

  private record Kept(ReadState state, long sinceNanos) {}

  public SnapshotHistory(StorageEngine storage, PreparedTransactions prepared, Clock clock) {
    this.storage = storage;
    this.prepared = prepared;
    this.clock = clock;
  }

  /** Work that waits for the state of a time that is still to come. */
  public TimeCrossings crossings() {
    return crossings;
  }

  @Override
  public int windowSeconds() {
    return windowSeconds;
  }

  @Override
  public void windowSeconds(int seconds) {
    windowSeconds = seconds;
    expire();
  }

  @Override
  public synchronized ReadState newest() {
    use();
    return keepNewest().share();
  }

  @Override
  public synchronized ReadState at(long timestamp) {
    use();
    keepNewest();
    ReadState before = right(states.floorEntry(timestamp), timestamp);
    ReadState right = before != null ? before : right(states.higherEntry(timestamp), timestamp);
    FixedView view = right == null ? null : prepared.completed(right.share(), timestamp);
    if (view != null) {
      return new ReadState(view, timestamp);
    }
    throw new CommandException(
        ErrorCode.SNAPSHOT_TOO_OLD,
        "Read timestamp Timestamp(%d, %d) is older than the oldest available timestamp."
            .formatted(timestamp >>> SECONDS_SHIFT, timestamp & 0xFFFF_FFFFL));
  }

  @Override
  public void awaitDecided(long timestamp, OperationContext operation) {
    prepared.awaitDecided(timestamp, operation);
  }

  @Override
  public boolean isDecidedLater() {
    return prepared.isUsed();
  }

  @Override
  public void use() {
    inUseUntilNanos = clock.monotonicNanos() + TimeUnit.SECONDS.toNanos(windowSeconds);
    inUse = true;
    expire();
  }

  private ReadState keepNewest() {
    Snapshot snapshot = storage.snapshot();
    long timestamp;
    try {
      timestamp = newestEntry(snapshot);
    } catch (RuntimeException | Error e) {
      snapshot.close();
      throw e;
    }
    Kept before = states.get(timestamp);
    if (before != null) {
      snapshot.close();
      return before.state;
    }
    var state = new ReadState(snapshot, timestamp);
    states.put(timestamp, new Kept(state, clock.monotonicNanos()));
    while (states.size() > STATES_MAX) {
      states.pollFirstEntry().getValue().state.close();
    }
    return state;
  }

  private static long newestEntry(ReadView view) {
    try (KeyValueCursor entries = view.cursor(Keyspace.OPLOG, null, null, true)) {
      return entries.next() ? OplogKeys.timestamp(entries.key()) : 0;
    }
  }

  /** Whether no entry between the two, which changes anything, makes a difference. */
  private boolean isRight(ReadState state, long timestamp) {
    boolean older = Long.compareUnsigned(state.timestamp(), timestamp) < 0;
    long from = older ? state.timestamp() : timestamp;
    long to = older ? timestamp : state.timestamp();
    try (KeyValueCursor entries =
        storage.cursor(Keyspace.OPLOG, OplogKeys.entry(from + 1), OplogKeys.entry(to + 1), false)) {
      while (entries.next()) {
        if (isChange(RawDocument.of(entries.copyValue()), entries, older, timestamp)) {
          return false;
        }
      }
    }
    // What the oplog has forgotten may have been a change.
    return isRemembered(from);
  }

  /**
   * Whether an entry makes a difference between a state and the state at a time.
   *
   * @param older whether the state is the older one
   */
  private boolean isChange(RawDocument entry, KeyValueCursor at, boolean older, long timestamp) {
    RawValue kind = entry.get("op");
    if (kind == null || !kind.isString()) {
      return true;
    }
    if (kind.asString().equals("n")) {
      return false;
    }
    RawValue what = entry.get("o");
    if (!kind.asString().equals("c") || what == null || !what.isDocument()) {
      return true;
    }
    RawDocument command = what.asDocument();
    if (command.get("abortTransaction") != null) {
      return false;
    }
    if (command.get("commitTransaction") != null) {
      // An older state is completed with it; a newer one has it.
      return older
          ? !prepared.knows(OplogKeys.timestamp(at.key()))
          : Long.compareUnsigned(PreparedTransactions.commitTime(entry), timestamp) > 0;
    }
    RawValue prepare = command.get("prepare");
    return prepare == null || !prepare.isTruthy();
  }

  private ReadState right(Map.Entry<Long, Kept> near, long timestamp) {
    return near != null && isRight(near.getValue().state, timestamp) ? near.getValue().state : null;
  }

  private boolean isRemembered(long timestamp) {
    try (KeyValueCursor entries = storage.cursor(Keyspace.OPLOG, null, null, false)) {
      return entries.next()
          && Long.compareUnsigned(OplogKeys.timestamp(entries.key()), timestamp) <= 0;
    }
  }

  /** To be called after each step in which the log is applied. */
  public void applied() {
    if (!inUse) {
      return;
    }
    synchronized (this) {
      expire();
      if (clock.monotonicNanos() - inUseUntilNanos < 0) {
        keepNewest();
      } else {
        inUse = false;
      }
    }
  }

  private synchronized void expire() {
    long window = TimeUnit.SECONDS.toNanos(windowSeconds);
    long now = clock.monotonicNanos();
    while (!states.isEmpty() && now - states.firstEntry().getValue().sinceNanos > window) {
      states.pollFirstEntry().getValue().state.close();
    }
  }

  /** Forgets everything: the store holds the data of another member now. */
  public synchronized void clear() {
    states.values().forEach(kept -> kept.state.close());
    states.clear();
  }
}
