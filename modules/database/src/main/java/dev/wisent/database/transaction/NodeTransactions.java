package dev.wisent.database.transaction;

import dev.wisent.base.Clock;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.database.collection.LatchTable;
import dev.wisent.database.collection.PreparedCollections;
import dev.wisent.database.session.NewestNumber;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.session.RetryableStatements;
import dev.wisent.database.session.SessionTurns;
import dev.wisent.database.snapshot.PreparedTransactions;
import dev.wisent.database.snapshot.ReadState;
import dev.wisent.database.snapshot.SnapshotHistory;
import dev.wisent.database.transaction.Transaction.State;
import dev.wisent.database.write.PreparedBatch;
import dev.wisent.database.write.PreparedEnd;
import dev.wisent.database.write.TransactionCommit;
import dev.wisent.database.write.TransactionPreparation;
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
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.Overlay;
import java.util.ArrayList;
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
  private static final long NO_TIME = 0;

  /** How long it is known in memory how a transaction ended. */
  private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(30);

  private final WriteAccess access;
  private final SnapshotHistory snapshots;
  private final SessionTurns turns = new SessionTurns();
  private final PreparedTransactions undecided;
  private final PreparedCollections prepared;
  private final Clock clock;
  private final ConcurrentHashMap<SessionId, Transaction> newest = new ConcurrentHashMap<>();
  private final LongAdder started = new LongAdder();
  private final LongAdder committed = new LongAdder();
  private final LongAdder aborted = new LongAdder();
  private final LongAdder preparations = new LongAdder();
  private final LongAdder preparedCommitted = new LongAdder();
  private final LongAdder preparedAborted = new LongAdder();
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
    if (statement.starts()) {
      awaitDecided(statement.id().session(), operation);
    }
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

  /** Waits, outside of the session's turn, for the end of what it has prepared. */
  public void awaitDecided(SessionId session, OperationContext operation) {
    undecided.awaitDecided(session, operation);
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
      requireNotPrepared(before);
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
    return restartable
        && before.id().number() == id.number()
        && before.state() != State.COMMITTED
        && before.state() != State.PREPARED;
  }

  private static void requireNotPrepared(Transaction transaction) {
    if (transaction.state() == State.PREPARED) {
      throw TransactionErrors.isPrepared();
    }
  }

  /** The transaction that a statement goes on with. */
  private Transaction requireOpen(TransactionId id) {
    Transaction transaction = require(id);
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
    commit(operation, id, NO_TIME);
  }

  @Override
  public void commit(OperationContext operation, TransactionId id, long time) {
    turns.run(
        id.session(),
        operation,
        () -> {
          requirePrimary();
          commitInTurn(operation, id, time);
          return null;
        });
  }

  private void commitInTurn(OperationContext operation, TransactionId id, long time) {
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
    if (transaction.state() == State.PREPARED) {
      commitPrepared(transaction, time, operation);
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
  public long prepare(OperationContext operation, TransactionId id) {
    return turns.run(
        id.session(),
        operation,
        () -> {
          requirePrimary();
          Transaction transaction = require(id);
          return transaction.state() == State.PREPARED
              ? transaction.prepared().preparedAt()
              : prepare(requireOpen(id), operation);
        });
  }

  private long prepare(Transaction transaction, OperationContext operation) {
    if (!transaction.beginCommit(operation)) {
      throw TransactionErrors.isAborted(transaction.id());
    }
    TransactionWrites writes = transaction.writes();
    if (writes == null || writes.isEmpty()) {
      end(transaction, State.COMMITTED, null);
      return operation.clusterTime().getAsLong();
    }
    SessionId session = transaction.id().session();
    var preparation =
        new TransactionPreparation(
            writes, access, transaction.id(), transaction.before(), operation);
    PreparedTransactions.Undecided entry = undecided.preparing(session);
    CommitFuture commit = null;
    try {
      access.gate().enter(operation);
      try {
        if (transaction.term() != access.gate().closings()) {
          throw TransactionErrors.isAborted(transaction.id());
        }
        commit = preparation.run();
        OperationState.committed(operation, commit);
        LatchTable.Holder latches = writes.closePrepared();
        var end = new PreparedEnd(preparation.batch(), access, latches, commit.timestamp());
        undecided.prepared(entry, commit.timestamp());
        transaction.becomePrepared(end);
        preparations.increment();
      } finally {
        access.gate().leave();
      }
    } finally {
      if (commit == null) {
        undecided.failed(session, entry);
        end(transaction, State.ABORTED, null);
        if (preparation.hasBegun()) {
          newest.remove(session, transaction);
        }
      }
    }
    return commit.timestamp();
  }

  private void commitPrepared(Transaction transaction, long time, OperationContext operation) {
    PreparedEnd prepared = transaction.prepared();
    if (time == NO_TIME) {
      throw TransactionErrors.commitTimeMissing();
    }
    if (Long.compareUnsigned(time, prepared.preparedAt()) < 0) {
      throw TransactionErrors.commitTimeTooOld();
    }
    Overlay changes = prepared.changes();
    CommitFuture commit = endPrepared(transaction, State.COMMITTED, operation, time);
    undecided.committed(transaction.id().session(), time, commit.timestamp(), changes);
    preparedCommitted.increment();
  }

  private CommitFuture endPrepared(
      Transaction transaction, State how, OperationContext operation, long time) {
    PreparedEnd prepared = transaction.prepared();
    CommitFuture commit = null;
    access.gate().enter(operation);
    try {
      if (transaction.term() != access.gate().closings()) {
        throw TransactionErrors.notPrimary();
      }
      transaction.beginEnd(operation);
      try {
        commit =
            how == State.COMMITTED ? prepared.commit(time, operation) : prepared.abort(operation);
        OperationState.committed(operation, commit);
      } finally {
        if (commit != null) {
          tell(transaction.endPrepared(how, commit));
        } else {
          transaction.endFailed();
          dropPrepared(transaction);
        }
      }
      return commit;
    } finally {
      access.gate().leave();
    }
  }

  /** Where this node leads no longer, or does not know the outcome: what is stored tells it. */
  private void dropPrepared(Transaction transaction) {
    if (access.gate().isOpen() && transaction.term() == access.gate().closings()) {
      return;
    }
    newest.remove(transaction.id().session(), transaction);
    tell(transaction.endPrepared(State.ABORTED, null));
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

  @Override
  public void abortDecided(OperationContext operation, TransactionId id) {
    turns.run(
        id.session(),
        operation,
        () -> {
          requirePrimary();
          Transaction transaction = require(id);
          if (transaction.state() == State.PREPARED) {
            var unused = endPrepared(transaction, State.ABORTED, operation, NO_TIME);
            undecided.aborted(id.session());
            preparedAborted.increment();
          } else {
            abort(requireOpen(id), null);
          }
          return null;
        });
  }

  @Override
  public boolean isCommitted(OperationContext operation, TransactionId id) {
    awaitDecided(id.session(), operation);
    Transaction known = newest.get(id.session());
    if (known != null && known.id().number() == id.number()) {
      return known.state() == State.COMMITTED;
    }
    NewestNumber stored = NewestNumber.of(id.session(), access.storage());
    return stored.number() == id.number() && stored.committed();
  }

  /** Takes up what earlier leaders have prepared, before the first write of a term. */
  public void leadershipBegins() {
    for (PreparedBatch batch : stored()) {
      NewestNumber number = NewestNumber.of(batch.id().session(), access.storage());
      var resumed = PreparedEnd.resumed(batch, access);
      long term = access.gate().closings();
      newest.put(batch.id().session(), Transaction.resumed(resumed, number, term, clock));
    }
  }

  /** Reads which transactions are prepared: the store is opened, or holds other data now. */
  public void load() {
    undecided.clear();
    for (PreparedBatch batch : stored()) {
      undecided.prepared(batch.id().session(), PreparedEnd.entryTime(batch, access.storage()));
    }
  }

  private List<PreparedBatch> stored() {
    var stored = new ArrayList<PreparedBatch>();
    byte[] end = PreparedTransactions.KEYS.clone();
    end[end.length - 1]++;
    try (KeyValueCursor entries =
        access.storage().cursor(Keyspace.SYSTEM, PreparedTransactions.KEYS, end, false)) {
      while (entries.next()) {
        stored.add(PreparedBatch.decode(entries.copyValue()));
      }
    }
    return stored;
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
    requireNotPrepared(transaction);
    abort(transaction, null);
    newest.remove(write.session(), transaction);
  }

  /** Aborts everything: the gate is closed, and opens again in a later term. */
  public void leadershipEnds() {
    abortAll(any -> true, ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
    for (Transaction transaction : newest.values()) {
      // One that is being ended is left to the thread that does it.
      if (transaction.state() == State.PREPARED && !transaction.isActive()) {
        dropPrepared(transaction);
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
  public TransactionFigures figures() {
    long open = 0;
    long active = 0;
    long latches = 0;
    long states = 0;
    long bytes = 0;
    long withoutOutcome = 0;
    for (Transaction transaction : newest.values()) {
      if (transaction.state() == State.PREPARED) {
        open++;
        withoutOutcome++;
        latches += transaction.prepared().latchCount();
      } else if (transaction.isOpen()) {
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
        started.sum(),
        committed.sum(),
        aborted.sum(),
        open,
        active,
        new TransactionFigures.Prepared(
            preparations.sum(), preparedCommitted.sum(), preparedAborted.sum(), withoutOutcome),
        latches,
        states,
        bytes);
  }

  @Override
  public void onEnd(Consumer<EndedTransaction> listener) {
    onEnd = listener;
  }
}
