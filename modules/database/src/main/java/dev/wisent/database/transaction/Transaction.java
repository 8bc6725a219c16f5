package dev.wisent.database.transaction;

import dev.wisent.base.Clock;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.session.NewestNumber;
import dev.wisent.database.write.PreparedEnd;
import dev.wisent.database.write.TransactionWrites;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.transaction.EndedTransaction;
import dev.wisent.operation.transaction.OpenTransaction;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.storage.CommitFuture;
import java.util.concurrent.TimeUnit;

/**
 * One transaction from its first statement on, and what is left of it after its end: how it ended.
 * Thread-safe; statements come one at a time.
 */
final class Transaction {
  enum State {
    IN_PROGRESS,
    /** Of several shards: it ends as the coordinator decides. */
    PREPARED,
    COMMITTED,
    ABORTED
  }

  private final TransactionId id;
  private final NewestNumber before;
  private final RawDocument readConcern;
  private final Clock clock;
  private final long term;
  private final long startNanos;
  private final long startWallMillis;
  private final long lifetimeNanos;

  private State state = State.IN_PROGRESS; // guarded by this
  private OperationContext running; // guarded by this
  private boolean ending; // guarded by this: it commits, or is to be aborted after its statement
  private ErrorCode abortedBy; // guarded by this
  private long runningSinceNanos; // guarded by this
  private long activeNanos; // guarded by this
  private long endNanos; // guarded by this

  /** Null before the first statement reads, and after the end. */
  private volatile TransactionWrites writes;

  /** Null if it is not prepared. */
  private volatile PreparedEnd prepared;

  /** Null if there was nothing to commit. */
  private volatile CommitFuture commit;

  /**
   * @param before what was stored about the session at the start
   * @param term what tells the leader's term from others
   */
  Transaction(
      TransactionId id,
      NewestNumber before,
      RawDocument readConcern,
      long term,
      int lifetimeSeconds,
      Clock clock) {
    this.id = id;
    this.before = before;
    this.readConcern = readConcern;
    this.term = term;
    this.clock = clock;
    this.startNanos = clock.monotonicNanos();
    this.startWallMillis = clock.wallMillis();
    this.lifetimeNanos = TimeUnit.SECONDS.toNanos(lifetimeSeconds);
  }

  /** One that an earlier leader has prepared. */
  static Transaction resumed(PreparedEnd prepared, NewestNumber stored, long term, Clock clock) {
    var transaction = new Transaction(prepared.batch().id(), stored, null, term, 0, clock);
    transaction.state = State.PREPARED;
    transaction.prepared = prepared;
    return transaction;
  }

  TransactionId id() {
    return id;
  }

  NewestNumber before() {
    return before;
  }

  long term() {
    return term;
  }

  synchronized State state() {
    return state;
  }

  synchronized boolean isOpen() {
    return state == State.IN_PROGRESS;
  }

  /** Whether it is open or prepared. */
  synchronized boolean isUndecided() {
    return state == State.IN_PROGRESS || state == State.PREPARED;
  }

  synchronized boolean isActive() {
    return running != null;
  }

  boolean isExpired() {
    return clock.monotonicNanos() - startNanos >= lifetimeNanos;
  }

  /** Whether it ended so long ago. */
  synchronized boolean hasEndedBefore(long nanos) {
    return state != State.IN_PROGRESS
        && state != State.PREPARED
        && clock.monotonicNanos() - endNanos > nanos;
  }

  /** What it reads and has written; null before the first statement and after the end. */
  TransactionWrites writes() {
    return writes;
  }

  void writes(TransactionWrites begun) {
    writes = begun;
  }

  CommitFuture commit() {
    return commit;
  }

  /** Begins a statement; false if the transaction has ended or is about to. */
  synchronized boolean begin(OperationContext operation) {
    if (state != State.IN_PROGRESS || ending) {
      return false;
    }
    running = operation;
    runningSinceNanos = clock.monotonicNanos();
    return true;
  }

  /** Ends a statement; whether the transaction is to be ended now, by the caller. */
  synchronized boolean endStatement(boolean abort) {
    pause();
    ending |= abort;
    return ending && state == State.IN_PROGRESS;
  }

  private void pause() {
    activeNanos += clock.monotonicNanos() - runningSinceNanos;
    running = null;
  }

  /** Begins the commit, which alone decides how it ends; false as for {@link #begin}. */
  synchronized boolean beginCommit(OperationContext operation) {
    boolean begun = begin(operation);
    ending |= begun;
    return begun;
  }

  PreparedEnd prepared() {
    return prepared;
  }

  /** Ends a preparation that has succeeded: only a commit or abort of the coordinator follows. */
  void becomePrepared(PreparedEnd end) {
    synchronized (this) {
      pause();
      ending = false;
      state = State.PREPARED;
      prepared = end;
      writes = null;
    }
  }

  /** Begins the end of a prepared one, so that the end of leadership leaves it alone. */
  synchronized void beginEnd(OperationContext operation) {
    running = operation;
    runningSinceNanos = clock.monotonicNanos();
  }

  /** Its end has failed: it stays prepared. */
  synchronized void endFailed() {
    pause();
  }

  /** Ends a prepared one in memory; returns null if another thread has. */
  EndedTransaction endPrepared(State how, CommitFuture withCommit) {
    EndedTransaction ended;
    synchronized (this) {
      if (state != State.PREPARED) {
        return null;
      }
      if (running != null) {
        pause();
      }
      ended = new EndedTransaction(asOpen(), how == State.COMMITTED, null);
      state = how;
      endNanos = clock.monotonicNanos();
      commit = withCommit;
    }
    prepared.close();
    return ended;
  }

  /**
   * Asks for the end from any thread. A statement that runs is ended, and its thread ends the
   * transaction; a commit that has begun goes on.
   *
   * @param reason null where the client asks, and no statement runs
   * @return whether the caller is to end the transaction
   */
  synchronized boolean requestAbort(ErrorCode reason) {
    if (state != State.IN_PROGRESS || (ending && running != null)) {
      return false;
    }
    ending = true;
    abortedBy = reason;
    if (running != null) {
      running.kill(reason);
      return false;
    }
    return true;
  }

  /** Ends it and releases what it holds; returns null if another thread has. */
  EndedTransaction end(State how, CommitFuture withCommit) {
    TransactionWrites held;
    EndedTransaction ended;
    synchronized (this) {
      if (state != State.IN_PROGRESS) {
        return null;
      }
      if (running != null) {
        pause();
      }
      boolean committed = how == State.COMMITTED;
      ended = new EndedTransaction(asOpen(), committed, committed ? null : abortedBy);
      state = how;
      endNanos = clock.monotonicNanos();
      commit = withCommit;
      held = writes;
      writes = null;
    }
    if (held != null) {
      held.close();
    }
    return ended;
  }

  /** How {@code currentOp} shows it; null if it has ended. */
  synchronized OpenTransaction shown() {
    return state == State.IN_PROGRESS || state == State.PREPARED ? asOpen() : null;
  }

  private OpenTransaction asOpen() {
    long now = clock.monotonicNanos();
    long active = activeNanos + (running == null ? 0 : now - runningSinceNanos);
    TransactionWrites held = writes;
    return new OpenTransaction(
        id,
        readConcern,
        held == null ? 0 : held.readTime(),
        startWallMillis,
        TimeUnit.NANOSECONDS.toMicros(now - startNanos),
        TimeUnit.NANOSECONDS.toMicros(active),
        startWallMillis + TimeUnit.NANOSECONDS.toMillis(lifetimeNanos),
        running == null);
  }
}
