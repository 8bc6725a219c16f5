package dev.wisent.server.cursor;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.transaction.TransactionId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * The cursors that clients have open, by id. All state is guarded by this object; results are
 * fetched and closed outside of the lock.
 */
public final class CursorRegistry {
  /** How often cursors are looked for that have not been used for too long. */
  public static final int CHECK_SECONDS = 4;

  private final Clock clock;
  private final RandomGenerator random;
  private final Map<Long, OpenCursor> cursors = new HashMap<>();
  private volatile long timeoutMillis = Limits.CURSOR_TIMEOUT_MILLIS;
  private final int countMax;
  private int ofTransactions;
  private long timedOut;
  private long evicted;
  private long opened;

  /** What became of a request to kill a cursor. */
  public enum KillOutcome {
    KILLED,
    NOT_FOUND
  }

  /** Figures for serverStatus. */
  public record Counts(
      long open, long noTimeout, long pinned, long timedOut, long evicted, long totalOpened) {}

  /** A cursor, and what it has given so far. */
  public record Progress(
      OpenCursor cursor, long createdNanos, long lastUseNanos, long documents, long batches) {}

  public CursorRegistry(Clock clock, RandomGenerator random) {
    this(clock, random, Limits.CURSORS_MAX);
  }

  CursorRegistry(Clock clock, RandomGenerator random, int countMax) {
    this.clock = clock;
    this.random = random;
    this.countMax = countMax;
  }

  /**
   * Keeps a cursor for later; it is detached already. When there are too many, those are closed
   * that were not used for the longest time.
   */
  public OpenCursor register(
      Namespace namespace,
      ResultCursor results,
      RawValue sessionId,
      boolean neverTimesOut,
      CursorOrigin origin) {
    closeLeastUsed();
    return add(namespace, results, sessionId, null, neverTimesOut, origin);
  }

  /** Keeps a cursor for as long as its transaction lasts, likewise. */
  public OpenCursor registerIn(
      TransactionId transaction,
      Namespace namespace,
      ResultCursor results,
      RawValue sessionId,
      CursorOrigin origin) {
    closeLeastUsed();
    return add(namespace, results, sessionId, transaction, true, origin);
  }

  private void closeLeastUsed() {
    Set<OpenCursor> oldest;
    synchronized (this) {
      if (cursors.size() < countMax) {
        return;
      }
      // Several at once, so that this is rare.
      oldest =
          cursors.values().stream()
              .filter(cursor -> !cursor.inUse())
              .sorted(
                  Comparator.comparing(OpenCursor::neverTimesOut)
                      .thenComparingLong(OpenCursor::lastUseNanos))
              .limit(1 + countMax / 100)
              .collect(Collectors.toSet());
      evicted += oldest.size();
    }
    killAll(oldest::contains);
  }

  private synchronized OpenCursor add(
      Namespace namespace,
      ResultCursor results,
      RawValue sessionId,
      TransactionId transaction,
      boolean neverTimesOut,
      CursorOrigin origin) {
    long id;
    do {
      id = random.nextLong() >>> 1;
    } while (id == 0 || cursors.containsKey(id));
    RawValue session = sessionId == null ? null : sessionId.detached();
    var cursor =
        new OpenCursor(
            id,
            namespace,
            results,
            session,
            transaction,
            neverTimesOut,
            origin,
            clock.monotonicNanos());
    cursors.put(id, cursor);
    if (transaction != null) {
      ofTransactions++;
    }
    opened++;
    return cursor;
  }

  /** To be called by the holder of the lock. */
  private void remove(OpenCursor cursor) {
    if (cursors.remove(cursor.id()) != null && cursor.transaction() != null) {
      ofTransactions--;
    }
  }

  /**
   * Takes a cursor for the use of one operation, which is killed with the cursor. It must be given
   * back with {@link #giveBack}.
   */
  public synchronized OpenCursor take(
      long id, Namespace namespace, RawValue sessionId, OperationContext user) {
    OpenCursor cursor = cursors.get(id);
    if (cursor == null || cursor.killed()) {
      throw new CommandException(ErrorCode.CURSOR_NOT_FOUND, "cursor id " + id + " not found");
    }
    if (!cursor.namespace().equals(namespace)) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED,
          "Requested getMore on namespace '"
              + namespace
              + "', but cursor belongs to a different"
              + " namespace "
              + cursor.namespace());
    }
    if (!Objects.equals(cursor.sessionId(), sessionId)) {
      throw sessionMismatch(cursor, sessionId);
    }
    if (cursor.inUse()) {
      throw new CommandException(ErrorCode.CURSOR_IN_USE, "cursor id " + id + " is already in use");
    }
    cursor.user(user);
    return cursor;
  }

  private static CommandException sessionMismatch(OpenCursor cursor, RawValue sessionId) {
    String message;
    if (cursor.sessionId() == null) {
      message =
          "Cannot run getMore on cursor "
              + cursor.id()
              + ", which was not created in a session, in session "
              + sessionId;
    } else if (sessionId == null) {
      message =
          "Cannot run getMore on cursor "
              + cursor.id()
              + ", which was created in session "
              + cursor.sessionId()
              + ", without an lsid";
    } else {
      message =
          "Cannot run getMore on cursor "
              + cursor.id()
              + ", which was created in session "
              + cursor.sessionId()
              + ", in session "
              + sessionId;
    }
    ErrorCode code = ErrorCode.CURSOR_SESSION_MISMATCH;
    return new CommandException(code, message);
  }

  /** Ends the use of a taken cursor, and the cursor itself when it is done or was killed. */
  public void giveBack(OpenCursor cursor, boolean done) {
    boolean close;
    synchronized (this) {
      cursor.user(null);
      cursor.usedAt(clock.monotonicNanos());
      close = done || cursor.killed();
      if (close) {
        remove(cursor);
      }
    }
    if (close) {
      cursor.results().close();
    }
  }

  public KillOutcome kill(long id, Namespace namespace) {
    OpenCursor cursor;
    synchronized (this) {
      cursor = cursors.get(id);
      if (cursor == null || cursor.killed() || !cursor.namespace().equals(namespace)) {
        return KillOutcome.NOT_FOUND;
      }
      cursor.kill();
      if (cursor.inUse()) {
        return KillOutcome.KILLED;
      }
      remove(cursor);
    }
    cursor.results().close();
    return KillOutcome.KILLED;
  }

  /** An open cursor, whether or not it is in use; null if there is none of this id. */
  public synchronized OpenCursor find(long id) {
    OpenCursor cursor = cursors.get(id);
    return cursor == null || cursor.killed() ? null : cursor;
  }

  /** Whether there is such a cursor, and it is one of a change stream. */
  public synchronized boolean isChangeStream(long id) {
    OpenCursor cursor = cursors.get(id);
    return cursor != null && cursor.results().isChangeStream();
  }

  /** Whether the cursor was killed while it was in use. */
  public synchronized boolean isKilled(OpenCursor cursor) {
    return cursor.killed();
  }

  /** Kills all cursors that fit, such as those of a session that has ended; returns how many. */
  public int killAll(Predicate<OpenCursor> condition) {
    int count = 0;
    var idle = new ArrayList<OpenCursor>();
    synchronized (this) {
      for (OpenCursor cursor : List.copyOf(cursors.values())) {
        if (condition.test(cursor)) {
          count++;
          cursor.kill();
          if (!cursor.inUse()) {
            remove(cursor);
            idle.add(cursor);
          }
        }
      }
    }
    idle.forEach(cursor -> cursor.results().close());
    return count;
  }

  /** Kills the cursors of a transaction that has ended. */
  public void killOf(TransactionId transaction) {
    boolean any;
    synchronized (this) {
      any = ofTransactions > 0;
    }
    if (any) {
      killAll(cursor -> transaction.equals(cursor.transaction()));
    }
  }

  /** How long a cursor may go unused. */
  public long timeoutMillis() {
    return timeoutMillis;
  }

  public void timeoutMillis(long millis) {
    timeoutMillis = millis;
  }

  /** Closes cursors that were not used for a long time. */
  public void closeIdle() {
    long now = clock.monotonicNanos();
    int closed =
        killAll(
            cursor ->
                !cursor.inUse()
                    && !cursor.neverTimesOut()
                    && now - cursor.lastUseNanos() > limitNanos(cursor));
    synchronized (this) {
      timedOut += closed;
    }
  }

  private long limitNanos(OpenCursor cursor) {
    return Math.min(timeoutMillis, cursor.results().idleMillisMax()) * 1_000_000L;
  }

  /** Counts as a use of a cursor; fails where it is gone. */
  public synchronized void touch(long id) {
    OpenCursor cursor = cursors.get(id);
    if (cursor == null || cursor.killed()) {
      throw new CommandException(ErrorCode.CURSOR_NOT_FOUND, "cursor id " + id + " not found");
    }
    cursor.usedAt(clock.monotonicNanos());
  }

  /** Cursors that are not in use. */
  public synchronized List<Progress> idle() {
    return cursors.values().stream()
        .filter(cursor -> !cursor.inUse())
        .map(OpenCursor::progress)
        .toList();
  }

  /** The cursor that an operation uses; null if it uses none. */
  public synchronized Progress usedBy(OperationContext operation) {
    return cursors.values().stream()
        .filter(cursor -> cursor.isUsedBy(operation))
        .findFirst()
        .map(OpenCursor::progress)
        .orElse(null);
  }

  public synchronized Counts counts() {
    long noTimeout = cursors.values().stream().filter(OpenCursor::neverTimesOut).count();
    long pinned = cursors.values().stream().filter(OpenCursor::inUse).count();
    return new Counts(cursors.size(), noTimeout, pinned, timedOut, evicted, opened);
  }
}
