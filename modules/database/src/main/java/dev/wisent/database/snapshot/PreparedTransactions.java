package dev.wisent.database.snapshot;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SessionId;
import dev.wisent.storage.BatchReader;
import dev.wisent.storage.FixedView;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.OplogKeys;
import dev.wisent.storage.Overlay;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The transactions of several shards that are prepared here and have no outcome yet, and what the
 * last of them have committed. Every member keeps them: a read at a time waits for the outcome of
 * what was prepared by then, and sees what has committed by then, also where that was applied
 * later. Thread-safe.
 */
public final class PreparedTransactions {
  private static final byte[] KEYS = {'p', 'r', 'e', 'p', 'a', 'r', 'e', 'd', '/'};

  private static final long UNKNOWN = 0;
  private static final int COMMITS_MAX = 1000;
  private static final long COMMIT_BYTES_MAX = 64L << 20;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition decided = lock.newCondition();
  private final Map<SessionId, Undecided> undecided = new HashMap<>(); // guarded by the lock
  private final Deque<Commit> commits = new ArrayDeque<>(); // guarded by the lock
  private long commitBytes; // guarded by the lock
  private long forgottenUntil; // guarded by the lock
  private volatile boolean used;

  /** One without an outcome. */
  public static final class Undecided {
    private volatile long preparedAt;

    private Undecided(long preparedAt) {
      this.preparedAt = preparedAt;
    }
  }

  /** What one has committed at a time, in an entry of the log that came later. */
  private record Commit(long time, long entryTime, Overlay changes) {}

  /** What the keys of {@link Keyspace#SYSTEM} begin with under which they are stored. */
  public static byte[] keys() {
    return KEYS.clone();
  }

  public static byte[] key(SessionId session) {
    byte[] id = session.bytes();
    byte[] key = Arrays.copyOf(KEYS, KEYS.length + id.length);
    System.arraycopy(id, 0, key, KEYS.length, id.length);
    return key;
  }

  public static SessionId sessionOf(byte[] key, int length) {
    return SessionId.ofBytes(key, KEYS.length, length - KEYS.length);
  }

  /** Whether there ever was one since the start of this node. */
  public boolean isUsed() {
    return used;
  }

  /** The sessions of those that have no outcome yet. */
  public List<SessionId> sessions() {
    if (!used) {
      return List.of();
    }
    lock.lock();
    try {
      return List.copyOf(undecided.keySet());
    } finally {
      lock.unlock();
    }
  }

  /** One is about to be prepared, at a time that is not known yet. */
  public Undecided preparing(SessionId session) {
    var entry = new Undecided(UNKNOWN);
    put(session, entry);
    return entry;
  }

  public void prepared(Undecided entry, long time) {
    lock.lock();
    try {
      entry.preparedAt = time;
      decided.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** One that is stored as prepared. */
  public void prepared(SessionId session, long time) {
    put(session, new Undecided(time));
  }

  private void put(SessionId session, Undecided entry) {
    lock.lock();
    try {
      used = true;
      undecided.put(session, entry);
    } finally {
      lock.unlock();
    }
  }

  /** The preparation has failed: nothing of it is in the log, or another thread reads it there. */
  public void failed(SessionId session, Undecided entry) {
    lock.lock();
    try {
      undecided.remove(session, entry);
      decided.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public void aborted(SessionId session) {
    lock.lock();
    try {
      undecided.remove(session);
      decided.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * @param time of the commit
   * @param entryTime of the entry that has applied it
   */
  public void committed(SessionId session, long time, long entryTime, Overlay changes) {
    lock.lock();
    try {
      commits.addLast(new Commit(time, entryTime, changes));
      commitBytes += changes.bytes();
      while (commits.size() > COMMITS_MAX || commitBytes > COMMIT_BYTES_MAX) {
        Commit oldest = commits.removeFirst();
        commitBytes -= oldest.changes.bytes();
        forgottenUntil = oldest.entryTime;
      }
      undecided.remove(session);
      decided.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Forgets everything: the store holds other data now. */
  public void clear() {
    lock.lock();
    try {
      undecided.clear();
      commits.clear();
      commitBytes = 0;
      decided.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the outcome of everything that was prepared by a time. */
  public void awaitDecided(long time, OperationContext operation) {
    if (used) {
      awaitNone(() -> hasUndecided(time), operation);
    }
  }

  /**
   * Waits for the outcome of what a session has prepared.
   *
   * @param leads false ends the wait: another member will know
   */
  public void awaitDecided(SessionId session, OperationContext operation, BooleanSupplier leads) {
    if (used) {
      awaitNone(() -> undecided.containsKey(session) && leads.getAsBoolean(), operation);
    }
  }

  private interface Check {
    boolean holds();
  }

  private void awaitNone(Check check, OperationContext operation) {
    operation.await(
        nanos -> {
          lock.lock();
          try {
            long left = nanos;
            while (check.holds() && left > 0) {
              left = decided.awaitNanos(left);
            }
            return !check.holds();
          } finally {
            lock.unlock();
          }
        });
  }

  private boolean hasUndecided(long time) {
    for (Undecided each : undecided.values()) {
      if (each.preparedAt == UNKNOWN || Long.compareUnsigned(each.preparedAt, time) <= 0) {
        return true;
      }
    }
    return false;
  }

  /** The time before the oldest preparation that has no outcome; the end of time without one. */
  public long beforeOldest() {
    lock.lock();
    try {
      long before = -1;
      for (Undecided each : undecided.values()) {
        // One whose time is not known yet allows nothing.
        long time = each.preparedAt == UNKNOWN ? 0 : each.preparedAt - 1;
        before = Long.compareUnsigned(time, before) < 0 ? time : before;
      }
      return before;
    } finally {
      lock.unlock();
    }
  }

  /** Whether what was applied by an entry, and is not in an older state, is known here. */
  boolean knows(long entryTime) {
    lock.lock();
    try {
      return commits.stream().anyMatch(commit -> commit.entryTime == entryTime);
    } finally {
      lock.unlock();
    }
  }

  /**
   * A state with all that has committed by a time and is not in the state; takes the state over.
   *
   * @return null if that is not known any more
   */
  FixedView completed(ReadState state, long time) {
    lock.lock();
    try {
      if (Long.compareUnsigned(forgottenUntil, state.timestamp()) > 0
          && Long.compareUnsigned(state.timestamp(), time) <= 0) {
        state.close();
        return null;
      }
      FixedView view = state.view();
      for (Commit commit : commits) {
        if (Long.compareUnsigned(commit.time, time) <= 0
            && Long.compareUnsigned(commit.entryTime, state.timestamp()) > 0) {
          view = commit.changes.over(view);
        }
      }
      return view;
    } finally {
      lock.unlock();
    }
  }

  /**
   * What a mutation of another leader does to prepared transactions.
   *
   * @return what to do when the mutation is written
   */
  public Runnable replicated(Mutation mutation) {
    SessionId session = null;
    boolean ended = false;
    long entryTime = 0;
    long commitTime = 0;
    var change = new BatchReader(mutation);
    while (change.next()) {
      if (change.keyspace() == Keyspace.SYSTEM && isKey(change)) {
        byte[] key =
            Arrays.copyOfRange(
                change.bytes(), change.keyOffset(), change.keyOffset() + change.keyLength());
        session = sessionOf(key, key.length);
        ended = change.kind() == BatchReader.Kind.DELETE;
      } else if (change.keyspace() == Keyspace.OPLOG && change.kind() == BatchReader.Kind.PUT) {
        byte[] key =
            Arrays.copyOfRange(
                change.bytes(), change.keyOffset(), change.keyOffset() + change.keyLength());
        entryTime = OplogKeys.timestamp(key);
        commitTime =
            commitTime(new RawDocument(change.bytes(), change.valueOffset(), change.valueLength()));
      }
    }
    if (!ended) {
      prepared(session, entryTime);
      return () -> {};
    }
    SessionId of = session;
    if (commitTime == 0) {
      return () -> aborted(of);
    }
    long time = commitTime;
    long at = entryTime;
    var changes = new Overlay();
    changes.add(mutation);
    return () -> committed(of, time, at, changes);
  }

  /** Whether a change is of a stored transaction. */
  public static boolean isKey(BatchReader change) {
    return change.keyLength() > KEYS.length
        && Arrays.equals(
            change.bytes(),
            change.keyOffset(),
            change.keyOffset() + KEYS.length,
            KEYS,
            0,
            KEYS.length);
  }

  /** The time that a {@code commitTransaction} entry says; 0 for any other. */
  static long commitTime(RawDocument entry) {
    RawValue command = entry.get("o");
    RawValue time =
        command == null || !command.isDocument()
            ? null
            : command.asDocument().get("commitTimestamp");
    return time == null ? 0 : time.asInt64();
  }
}
