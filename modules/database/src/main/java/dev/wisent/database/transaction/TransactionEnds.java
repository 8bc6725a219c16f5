package dev.wisent.database.transaction;

import dev.wisent.base.Clock;
import dev.wisent.database.collection.LatchTable;
import dev.wisent.database.collection.LeadershipState;
import dev.wisent.database.session.NewestNumber;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.snapshot.PreparedTransactions;
import dev.wisent.database.transaction.Transaction.State;
import dev.wisent.database.write.PreparedBatch;
import dev.wisent.database.write.PreparedEnd;
import dev.wisent.database.write.TransactionCommit;
import dev.wisent.database.write.TransactionPreparation;
import dev.wisent.database.write.TransactionWrites;
import dev.wisent.database.write.WriteAccess;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.transaction.EndedTransaction;
import dev.wisent.operation.transaction.PreparedPart;
import dev.wisent.operation.transaction.TransactionFigures;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.Overlay;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Commits transactions on this node while it leads: in one step, or first prepared and then ended
 * as the coordinator of several shards decides. The caller has the turn of the session.
 */
public final class TransactionEnds {
  private static final long NO_TIME = 0;

  private final WriteAccess access;
  private final PreparedTransactions undecided;
  private final NewestTransactions newest;
  private final Clock clock;
  private final EndOfOpen endOpen;
  private final Consumer<EndedTransaction> onEnd;
  private final LongAdder prepared = new LongAdder();
  private final LongAdder committed = new LongAdder();
  private final LongAdder aborted = new LongAdder();

  /** Ends a transaction that is not prepared. */
  @FunctionalInterface
  interface EndOfOpen {
    boolean end(Transaction transaction, State how, CommitFuture commit);
  }

  /**
   * @param newest the newest transaction of each session
   * @param onEnd is told of the end of a prepared one; of null where another thread has ended it
   */
  TransactionEnds(
      WriteAccess access,
      PreparedTransactions undecided,
      NewestTransactions newest,
      Clock clock,
      EndOfOpen endOpen,
      Consumer<EndedTransaction> onEnd) {
    this.access = access;
    this.undecided = undecided;
    this.newest = newest;
    this.clock = clock;
    this.endOpen = endOpen;
    this.onEnd = onEnd;
  }

  /**
   * @param current how many have no outcome yet
   */
  TransactionFigures.Prepared figures(long current) {
    return new TransactionFigures.Prepared(prepared.sum(), committed.sum(), aborted.sum(), current);
  }

  /** Commits a transaction that writes on this node alone, or alone writes on this one. */
  void commitOpen(Transaction transaction, TransactionWrites writes, OperationContext operation) {
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
      endOpen.end(transaction, commit == null ? State.ABORTED : State.COMMITTED, commit);
      if (commit == null && toCommit.hasBegun()) {
        // Unknown: what is stored tells how it ended, as soon as this node leads again.
        newest.remove(transaction.id().session(), transaction);
      }
    }
  }

  /**
   * Prepares a transaction that is open; returns the time of that.
   *
   * @param coordinator the shard that knows the outcome; null where that is not told
   */
  long prepare(Transaction transaction, String coordinator, OperationContext operation) {
    if (!transaction.beginCommit(operation)) {
      throw TransactionErrors.isAborted(transaction.id());
    }
    TransactionWrites writes = transaction.writes();
    if (writes == null || writes.isEmpty()) {
      endOpen.end(transaction, State.COMMITTED, null);
      return operation.clusterTime().getAsLong();
    }
    SessionId session = transaction.id().session();
    var preparation =
        new TransactionPreparation(
            writes, access, transaction.id(), transaction.before(), coordinator, operation);
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
        PreparedEnd end = PreparedEnd.of(preparation, access, latches, commit.timestamp());
        undecided.prepared(entry, commit.timestamp());
        transaction.becomePrepared(end);
        prepared.increment();
        // The end of leadership may have been before it was to be seen as prepared.
        drop(transaction);
      } finally {
        access.gate().leave();
      }
    } finally {
      if (commit == null) {
        undecided.failed(session, entry);
        endOpen.end(transaction, State.ABORTED, null);
        if (preparation.hasBegun()) {
          newest.remove(session, transaction);
        }
      }
    }
    return commit.timestamp();
  }

  void commit(Transaction transaction, long time, OperationContext operation) {
    PreparedEnd part = transaction.prepared();
    if (time == NO_TIME) {
      throw TransactionErrors.commitTimeMissing();
    }
    if (Long.compareUnsigned(time, part.preparedAt()) < 0) {
      throw TransactionErrors.commitTimeTooOld();
    }
    Overlay changes = part.changes();
    SessionId session = transaction.id().session();
    end(
        transaction,
        State.COMMITTED,
        operation,
        () -> part.commit(time, operation),
        commit -> undecided.committed(session, time, commit.timestamp(), changes));
    committed.increment();
  }

  void abort(Transaction transaction, OperationContext operation) {
    PreparedEnd part = transaction.prepared();
    end(
        transaction,
        State.ABORTED,
        operation,
        () -> part.abort(operation),
        commit -> undecided.aborted(transaction.id().session()));
    aborted.increment();
  }

  /**
   * Aborts a transaction for good, as its coordinator has decided.
   *
   * @param abortOpen aborts one that is open, in memory
   */
  void abortDecided(TransactionId id, OperationContext operation, Consumer<Transaction> abortOpen) {
    Transaction known = newest.get(id.session());
    if (known != null && known.id().number() <= id.number()) {
      if (known.state() == State.PREPARED) {
        if (known.id().number() < id.number()) {
          throw TransactionErrors.isPrepared();
        }
        abort(known, operation);
        return;
      }
      if (known.state() == State.COMMITTED && known.id().number() == id.number()) {
        throw TransactionErrors.isCommitted(id);
      }
      abortOpen.accept(known);
    }
    close(id, operation);
  }

  /**
   * Stores that a transaction is aborted, of which nothing is prepared or committed here. So what
   * comes late of it is refused, after every election too: a statement that begins it, and a
   * request to prepare it.
   */
  private void close(TransactionId id, OperationContext operation) {
    access.gate().enter(operation);
    try {
      NewestNumber stored = NewestNumber.of(id.session(), access.storage());
      if (stored.number() >= id.number()) {
        throw newest.notOpen(id, stored);
      }
      var mutation = new MutationBuilder();
      stored.aborted(id.session(), id.number(), operation.clock().wallMillis(), mutation);
      CommitFuture commit = access.log().submit(mutation.build());
      OperationState.awaitApplied(commit, operation);
      OperationState.committed(operation, commit);
    } finally {
      access.gate().leave();
    }
  }

  /** What is prepared here and has no outcome yet; on the leader. */
  List<PreparedPart> prepared() {
    var parts = new ArrayList<PreparedPart>();
    for (SessionId session : undecided.sessions()) {
      Transaction transaction = newest.get(session);
      PreparedEnd end = transaction == null ? null : transaction.prepared();
      if (end != null && transaction.state() == State.PREPARED) {
        parts.add(new PreparedPart(transaction.id(), end.batch().coordinator(), end.preparedAt()));
      }
    }
    return parts;
  }

  /**
   * @param known tells waiting operations the outcome, before another leader can prepare anything
   */
  private void end(
      Transaction transaction,
      State how,
      OperationContext operation,
      Supplier<CommitFuture> decision,
      Consumer<CommitFuture> known) {
    CommitFuture commit = null;
    access.gate().enterToEnd(operation);
    try {
      if (transaction.term() != access.gate().closings()) {
        throw TransactionErrors.notPrimary();
      }
      transaction.beginEnd(operation);
      try {
        commit = decision.get();
        OperationState.committed(operation, commit);
        known.accept(commit);
      } finally {
        if (commit != null) {
          onEnd.accept(transaction.endPrepared(how, commit));
        } else {
          transaction.endFailed();
          drop(transaction);
        }
      }
    } finally {
      access.gate().leave();
    }
  }

  /** Where this node leads no longer, or does not know the outcome: what is stored tells it. */
  void drop(Transaction transaction) {
    if (access.gate().isOpen() && transaction.term() == access.gate().closings()) {
      return;
    }
    newest.remove(transaction.id().session(), transaction);
    onEnd.accept(transaction.endPrepared(State.ABORTED, null));
  }

  /** Reads what is stored, now and whenever that has become other data. */
  public void follow(LeadershipState leadership) {
    load();
    access.gate().prepared(() -> !prepared().isEmpty());
    leadership.onBegin(this::leadershipBegins);
    leadership.onReplaced(this::load);
  }

  /** Takes up what earlier leaders have prepared, before the first write of a term. */
  private void leadershipBegins() {
    for (PreparedBatch batch : stored()) {
      NewestNumber number = NewestNumber.of(batch.id().session(), access.storage());
      var resumed = PreparedEnd.resumed(batch, access);
      long term = access.gate().closings();
      newest.put(batch.id().session(), Transaction.resumed(resumed, number, term, clock));
    }
  }

  /** Reads which transactions are prepared: the store is opened, or holds other data now. */
  private void load() {
    undecided.clear();
    for (PreparedBatch batch : stored()) {
      undecided.prepared(batch.id().session(), PreparedEnd.entryTime(batch, access.storage()));
    }
  }

  private List<PreparedBatch> stored() {
    var stored = new ArrayList<PreparedBatch>();
    byte[] end = PreparedTransactions.keys();
    end[end.length - 1]++;
    try (KeyValueCursor entries =
        access.storage().cursor(Keyspace.SYSTEM, PreparedTransactions.keys(), end, false)) {
      while (entries.next()) {
        stored.add(PreparedBatch.decode(entries.copyValue()));
      }
    }
    return stored;
  }
}
