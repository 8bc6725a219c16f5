package dev.wisent.database.transaction;

import dev.wisent.base.Clock;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.database.collection.PreparedCollections;
import dev.wisent.database.session.NewestNumber;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.session.RetryableWrites;
import dev.wisent.database.session.SessionTurns;
import dev.wisent.database.snapshot.PreparedTransactions;
import dev.wisent.database.snapshot.ReadState;
import dev.wisent.database.snapshot.SnapshotHistory;
import dev.wisent.database.transaction.Transaction.State;
import dev.wisent.database.write.TransactionWrites;
import dev.wisent.database.write.WriteAccess;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.transaction.EndedTransaction;
import dev.wisent.operation.transaction.OpenTransaction;
import dev.wisent.operation.transaction.PreparedPart;
import dev.wisent.operation.transaction.TransactionFigures;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.operation.transaction.TransactionLimits;
import dev.wisent.operation.transaction.TransactionStatement;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.sharding.ShardedViewException;
import dev.wisent.storage.CommitFuture;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The transactions of this node. The newest of each session is known here, also for a while after
 * its end; that one has committed is also stored with the session. Thread-safe.
 */
public final class NodeTransactions implements Transactions, RetryableWrites.OtherUse {
  private static final long NO_TIME = 0;

  /** How long it is known in memory how a transaction ended. */
  private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(30);

  private final WriteAccess access;
  private final SnapshotHistory snapshots;
  private final SessionTurns turns = new SessionTurns();
  private final PreparedTransactions undecided;
  private final TransactionEnds ends;
  private final PreparedCollections prepared;
  private final Clock clock;
  private final NewestTransactions newest;
  private final LongAdder started = new LongAdder();
  private final LongAdder committed = new LongAdder();
  private final LongAdder aborted = new LongAdder();
  private final TransactionLimits limits = new TransactionLimits();
  private volatile boolean restartable;
  private volatile Consumer<EndedTransaction> onEnd = ended -> {};

  public NodeTransactions(
      WriteAccess access,
      SnapshotHistory snapshots,
      PreparedTransactions undecided,
      RandomSource random,
      Clock clock) {
    this.access = access;
    this.snapshots = snapshots;
    this.undecided = undecided;
    this.newest = new NewestTransactions(access.storage());
    this.ends =
        new TransactionEnds(access, undecided, newest, clock, this::end, ended -> tell(ended));
    this.prepared =
        new PreparedCollections(
            access.storage(),
            access.log(),
            access.catalog(),
            access.views(),
            access.changes(),
            random::nextUuid);
    this.clock = clock;
  }

  /** Has routers start a transaction anew whose first statement they have to route anew. */
  public void allowRestarts() {
    restartable = true;
  }

  /** How transactions end here. */
  public TransactionEnds ends() {
    return ends;
  }

  /** Whose turn it is in a session: a retryable write does not run beside a statement. */
  @Override
  public SessionTurns turns() {
    return turns;
  }

  @Override
  public void run(OperationContext operation, TransactionStatement statement, Runnable work) {
    Supplier<Void> inTurn =
        () -> {
          requirePrimary();
          Transaction transaction =
              statement.starts() ? start(statement) : requireOpen(statement.id());
          runIn(transaction, statement, operation, work);
          return null;
        };
    SessionId session = statement.id().session();
    var unused =
        statement.starts()
            ? turns.runAfterMove(session, operation, this, inTurn)
            : turns.run(session, operation, inTurn);
  }

  /** Waits, outside of the session's turn, for the end of what it has prepared. */
  @Override
  public void awaitDecided(SessionId session, OperationContext operation) {
    if (undecided.isUsed()) {
      undecided.awaitDecided(session, operation, access.gate()::isOpen);
      undecided.awaitDecided(session.ofMoves(), operation, access.gate()::isOpen);
    }
  }

  @Override
  public boolean endMove(SessionId session) {
    Transaction move = newest.moveFor(session);
    if (move != null) {
      abort(move, ErrorCode.WRITE_CONFLICT);
    }
    return move == null || !move.isUndecided();
  }

  private void runInTurn(TransactionId id, OperationContext operation, Runnable work) {
    var unused =
        inTurn(
            id,
            operation,
            () -> {
              work.run();
              return null;
            });
  }

  private <T> T inTurn(TransactionId id, OperationContext operation, Supplier<T> work) {
    return turns.run(
        id.session(),
        operation,
        () -> {
          requirePrimary();
          return work.get();
        });
  }

  private void requirePrimary() {
    if (!access.gate().isOpen()) {
      throw TransactionErrors.notPrimary();
    }
  }

  private Transaction start(TransactionStatement statement) {
    TransactionId id = statement.id();
    NewestNumber stored = newest.checkStart(id, restartable);
    Transaction before = newest.get(id.session());
    if (before != null) {
      abort(before, null);
    }
    long term = access.gate().closings();
    var transaction =
        new Transaction(id, stored, statement.readConcern(), term, limits.lifetimeSeconds(), clock);
    newest.put(id.session(), transaction);
    started.increment();
    if (!access.gate().isOpen()) {
      // The end of leadership may have been before the transaction was to be found.
      abort(transaction, ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
    }
    return transaction;
  }

  /** The transaction that a statement goes on with. */
  private Transaction requireOpen(TransactionId id) {
    Transaction transaction = newest.require(id);
    switch (transaction.state()) {
      case COMMITTED -> throw TransactionErrors.isCommitted(id);
      case ABORTED -> throw TransactionErrors.isAborted(id);
      case PREPARED -> throw TransactionErrors.isPrepared();
      case IN_PROGRESS -> {}
    }
    if (transaction.term() != access.gate().closings()) {
      abort(transaction, ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
      throw TransactionErrors.isAborted(id);
    }
    return transaction;
  }

  private void runIn(
      Transaction transaction,
      TransactionStatement statement,
      OperationContext operation,
      Runnable work) {
    if (!transaction.begin(operation)) {
      throw TransactionErrors.isAborted(transaction.id());
    }
    boolean done = false;
    TransactionWrites writes = null;
    try {
      if (transaction.writes() == null) {
        transaction.writes(
            new TransactionWrites(access, snapshot(statement.readTime()), prepared, limits));
      }
      writes = transaction.writes();
      writes.enter(operation);
      work.run();
      done = !operation.writes().haveFailed();
    } catch (ShardedViewException e) {
      // Nothing was read. The router goes on with the transaction.
      done = true;
      throw e;
    } finally {
      if (writes != null) {
        writes.leave(operation);
      }
      if (transaction.endStatement(!done)) {
        end(transaction, State.ABORTED, null);
      }
    }
  }

  /** Everything that is applied is also committed by a majority: no write of it is ever undone. */
  private ReadState snapshot(long readTime) {
    return readTime == 0 ? new ReadState(access.storage().snapshot(), 0) : snapshots.at(readTime);
  }

  @Override
  public void commit(OperationContext operation, TransactionId id) {
    commit(operation, id, NO_TIME);
  }

  @Override
  public void commit(OperationContext operation, TransactionId id, long time) {
    runInTurn(id, operation, () -> commitInTurn(operation, id, time));
  }

  private void commitInTurn(OperationContext operation, TransactionId id, long time) {
    operation.writes().attempt();
    Transaction transaction = newest.get(id.session());
    if (transaction == null || transaction.id().number() != id.number()) {
      if (!newest.isCommitted(id)) {
        Transaction unused = newest.require(id);
      }
      return;
    }
    if (transaction.state() == State.COMMITTED) {
      if (transaction.commit() != null) {
        OperationState.committed(operation, transaction.commit());
      }
      return;
    }
    if (transaction.state() == State.PREPARED) {
      ends.commit(transaction, time, operation);
      return;
    }
    Transaction open = requireOpen(id);
    if (time != NO_TIME) {
      throw TransactionErrors.commitTimeGiven();
    }
    if (!open.beginCommit(operation)) {
      throw TransactionErrors.isAborted(id);
    }
    TransactionWrites writes = transaction.writes();
    if (writes == null || writes.isEmpty()) {
      end(transaction, State.COMMITTED, null);
    } else {
      ends.commitOpen(transaction, writes, operation);
    }
  }

  @Override
  public long prepare(OperationContext operation, TransactionId id, String coordinator) {
    return inTurn(
        id,
        operation,
        () -> {
          Transaction transaction = newest.require(id);
          return transaction.state() == State.PREPARED
              ? transaction.prepared().preparedAt()
              : ends.prepare(requireOpen(id), coordinator, operation);
        });
  }

  @Override
  public void abort(OperationContext operation, TransactionId id) {
    runInTurn(id, operation, () -> abort(requireOpen(id), null));
  }

  @Override
  public void abortDecided(OperationContext operation, TransactionId id) {
    runInTurn(id, operation, () -> ends.abortDecided(id, operation, open -> abort(open, null)));
  }

  @Override
  public List<PreparedPart> prepared() {
    return ends.prepared();
  }

  /** Ends a transaction, or has the statement that runs end it. */
  private boolean abort(Transaction transaction, ErrorCode reason) {
    return transaction.requestAbort(reason) && end(transaction, State.ABORTED, null);
  }

  private boolean end(Transaction transaction, State how, CommitFuture commit) {
    return tell(transaction.end(how, commit));
  }

  private boolean tell(EndedTransaction ended) {
    if (ended == null) {
      return false;
    }
    (ended.committed() ? committed : aborted).increment();
    onEnd.accept(ended);
    return true;
  }

  /** Refuses a retryable write under the number of a transaction, and ends an older one. */
  @Override
  public void beforeRetryableWrite(RetryableWrite write) {
    Transaction older = newest.olderThan(write);
    if (older != null) {
      abort(older, null);
      newest.remove(write.session(), older);
    }
  }

  /** Aborts everything: the gate is closed, and opens again in a later term. */
  public void leadershipEnds() {
    abortAll(any -> true, ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
    for (Transaction transaction : newest.values()) {
      // One that is being ended is left to the thread that does it.
      if (transaction.state() == State.PREPARED && !transaction.isActive()) {
        ends.drop(transaction);
      }
    }
  }

  @Override
  public int abortAll(Predicate<SessionId> sessions, ErrorCode reason) {
    int count = 0;
    for (Transaction transaction : newest.values()) {
      if (transaction.isOpen() && sessions.test(transaction.id().session())) {
        count++;
        abort(transaction, reason);
      }
    }
    return count;
  }

  @Override
  public int abortExpired() {
    int count = 0;
    for (Transaction transaction : newest.values()) {
      if (transaction.isOpen() && transaction.isExpired()) {
        count++;
        abort(transaction, ErrorCode.TRANSACTION_EXCEEDED_LIFETIME_LIMIT_SECONDS);
      } else if (transaction.hasEndedBefore(REMEMBERED_NANOS)) {
        newest.remove(transaction.id().session(), transaction);
      }
    }
    return count;
  }

  @Override
  public TransactionLimits limits() {
    return limits;
  }

  @Override
  public List<OpenTransaction> open() {
    return newest.values().stream().map(Transaction::shown).filter(Objects::nonNull).toList();
  }

  @Override
  public boolean isCommitted(OperationContext operation, TransactionId id) {
    awaitDecided(id.session(), operation);
    // The end of a prepared one has the turn until this node knows of it.
    return inTurn(id, operation, () -> newest.isCommitted(id));
  }

  @Override
  public TransactionFigures figures() {
    return newest.figures(started.sum(), committed.sum(), aborted.sum(), ends);
  }

  @Override
  public void onEnd(Consumer<EndedTransaction> listener) {
    onEnd = listener;
  }
}
