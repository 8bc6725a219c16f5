package dev.wisent.database.transaction;

import dev.wisent.base.Clock;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.database.collection.PreparedCollections;
import dev.wisent.database.session.NewestNumber;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.session.RetryableStatements;
import dev.wisent.database.session.SessionTurns;
import dev.wisent.database.snapshot.ReadState;
import dev.wisent.database.snapshot.SnapshotHistory;
import dev.wisent.database.transaction.Transaction.State;
import dev.wisent.database.write.TransactionCommit;
import dev.wisent.database.write.TransactionWrites;
import dev.wisent.database.write.WriteAccess;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.transaction.EndedTransaction;
import dev.wisent.operation.transaction.OpenTransaction;
import dev.wisent.operation.transaction.TransactionFigures;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.operation.transaction.TransactionLimits;
import dev.wisent.operation.transaction.TransactionStatement;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.storage.CommitFuture;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The transactions of this node. The newest of each session is known here, also for a while after
 * its end; that one has committed is also stored with the session. Thread-safe.
 */
public final class NodeTransactions implements Transactions {
  /** How long it is known in memory how a transaction ended. */
  private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(30);

  private final WriteAccess access;
  private final SnapshotHistory snapshots;
  private final SessionTurns turns = new SessionTurns();
  private final PreparedCollections prepared;
  private final Clock clock;
  private final ConcurrentHashMap<SessionId, Transaction> newest = new ConcurrentHashMap<>();
  private final LongAdder started = new LongAdder();
  private final LongAdder committed = new LongAdder();
  private final LongAdder aborted = new LongAdder();
  private final TransactionLimits limits = new TransactionLimits();
  private volatile boolean restartable;
  private volatile Consumer<EndedTransaction> onEnd = ended -> {};

  public NodeTransactions(
      WriteAccess access, SnapshotHistory snapshots, RandomSource random, Clock clock) {
    this.access = access;
    this.snapshots = snapshots;
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

  /** Whose turn it is in a session: a retryable write does not run beside a statement. */
  public SessionTurns turns() {
    return turns;
  }

  @Override
  public void run(OperationContext operation, TransactionStatement statement, Runnable work) {
    turns.run(
        statement.id().session(),
        operation,
        () -> {
          requirePrimary();
          Transaction transaction =
              statement.starts() ? start(statement) : requireOpen(statement.id());
          runIn(transaction, statement, operation, work);
          return null;
        });
  }

  private void requirePrimary() {
    if (!access.gate().isOpen()) {
      throw TransactionErrors.notPrimary();
    }
  }

  private Transaction start(TransactionStatement statement) {
    TransactionId id = statement.id();
    Transaction before = newest.get(id.session());
    if (before != null && !mayRestart(before, id)) {
      TransactionErrors.checkStart(id, before.id().number(), true);
    }
    NewestNumber stored = NewestNumber.of(id.session(), access.storage());
    TransactionErrors.checkStart(id, stored.number(), stored.transaction());
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

  private boolean mayRestart(Transaction before, TransactionId id) {
    return restartable && before.id().number() == id.number() && before.state() != State.COMMITTED;
  }

  /** The transaction that a statement goes on with. */
  private Transaction requireOpen(TransactionId id) {
    Transaction transaction = require(id);
    switch (transaction.state()) {
      case COMMITTED -> throw TransactionErrors.isCommitted(id);
      case ABORTED -> throw TransactionErrors.isAborted(id);
      case IN_PROGRESS -> {}
    }
    if (transaction.term() != access.gate().closings()) {
      abort(transaction, ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
      throw TransactionErrors.isAborted(id);
    }
    return transaction;
  }

  /** The transaction with this number, if it is the newest of its session. */
  private Transaction require(TransactionId id) {
    Transaction transaction = newest.get(id.session());
    long number = transaction == null ? -1 : transaction.id().number();
    if (transaction != null && number == id.number()) {
      return transaction;
    }
    NewestNumber stored = NewestNumber.of(id.session(), access.storage());
    if (stored.number() == id.number() && stored.committed()) {
      throw TransactionErrors.isCommitted(id);
    }
    long active = Math.max(number, stored.number());
    if (active > id.number()) {
      throw TransactionErrors.tooOld(id, active, active == number || stored.transaction());
    }
    throw TransactionErrors.isNotActive(id, active);
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
    turns.run(
        id.session(),
        operation,
        () -> {
          requirePrimary();
          commitInTurn(operation, id);
          return null;
        });
  }

  private void commitInTurn(OperationContext operation, TransactionId id) {
    operation.writes().attempt();
    Transaction transaction = newest.get(id.session());
    if (transaction == null || transaction.id().number() != id.number()) {
      requireCommitted(id);
      return;
    }
    if (transaction.state() == State.COMMITTED) {
      if (transaction.commit() != null) {
        OperationState.committed(operation, transaction.commit());
      }
      return;
    }
    requireOpen(id);
    if (!transaction.beginCommit(operation)) {
      throw TransactionErrors.isAborted(id);
    }
    TransactionWrites writes = transaction.writes();
    if (writes == null || writes.isEmpty()) {
      end(transaction, State.COMMITTED, null);
    } else {
      commit(transaction, writes, operation);
    }
  }

  /** A commit that this node does not remember may be stored: it, or an earlier leader, did it. */
  private void requireCommitted(TransactionId id) {
    NewestNumber stored = NewestNumber.of(id.session(), access.storage());
    if (stored.number() != id.number() || !stored.committed()) {
      Transaction unused = require(id);
    }
  }

  private void commit(
      Transaction transaction, TransactionWrites writes, OperationContext operation) {
    var toCommit =
        new TransactionCommit(writes, access, transaction.id(), transaction.before(), operation);
    CommitFuture commit = null;
    try {
      access.gate().enter(operation);
      try {
        if (transaction.term() != access.gate().closings()) {
          throw TransactionErrors.isAborted(transaction.id());
        }
        commit = toCommit.run();
        OperationState.committed(operation, commit);
      } finally {
        access.gate().leave();
      }
    } finally {
      end(transaction, commit == null ? State.ABORTED : State.COMMITTED, commit);
      if (commit == null && toCommit.hasBegun()) {
        // Unknown: what is stored tells how it ended, as soon as this node leads again.
        newest.remove(transaction.id().session(), transaction);
      }
    }
  }

  @Override
  public void abort(OperationContext operation, TransactionId id) {
    turns.run(
        id.session(),
        operation,
        () -> {
          requirePrimary();
          abort(requireOpen(id), null);
          return null;
        });
  }

  /** Ends a transaction, or has the statement that runs end it. */
  private boolean abort(Transaction transaction, ErrorCode reason) {
    return transaction.requestAbort(reason) && end(transaction, State.ABORTED, null);
  }

  private boolean end(Transaction transaction, State how, CommitFuture commit) {
    EndedTransaction ended = transaction.end(how, commit);
    if (ended == null) {
      return false;
    }
    (ended.committed() ? committed : aborted).increment();
    onEnd.accept(ended);
    return true;
  }

  /** Refuses a retryable write under the number of a transaction, and ends an older one. */
  public void beforeRetryableWrite(RetryableWrite write) {
    Transaction transaction = newest.isEmpty() ? null : newest.get(write.session());
    if (transaction == null) {
      return;
    }
    long number = transaction.id().number();
    if (number == write.txnNumber()) {
      throw RetryableStatements.isTransaction();
    }
    if (number > write.txnNumber()) {
      throw RetryableStatements.tooOld(write, number, true);
    }
    abort(transaction, null);
    newest.remove(write.session(), transaction);
  }

  /** Aborts everything: the gate is closed, and opens again in a later term. */
  public void leadershipEnds() {
    abortAll(any -> true, ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
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
  public TransactionFigures figures() {
    long open = 0;
    long active = 0;
    long latches = 0;
    long states = 0;
    long bytes = 0;
    for (Transaction transaction : newest.values()) {
      if (transaction.isOpen()) {
        open++;
        active += transaction.isActive() ? 1 : 0;
        TransactionWrites writes = transaction.writes();
        if (writes != null) {
          states++;
          latches += writes.latchCount();
          bytes += writes.bytes();
        }
      }
    }
    return new TransactionFigures(
        started.sum(), committed.sum(), aborted.sum(), open, active, latches, states, bytes);
  }

  @Override
  public void onEnd(Consumer<EndedTransaction> listener) {
    onEnd = listener;
  }
}
