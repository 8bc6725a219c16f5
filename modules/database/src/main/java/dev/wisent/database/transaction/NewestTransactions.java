package dev.wisent.database.transaction;

import dev.wisent.database.session.NewestNumber;
import dev.wisent.database.transaction.Transaction.State;
import dev.wisent.database.write.TransactionWrites;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.transaction.TransactionFigures;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.storage.ReadView;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The newest transaction of each session that this node remembers, and what is stored of those that
 * it does not. Thread-safe.
 */
final class NewestTransactions {
  private final ReadView view;
  private final ConcurrentHashMap<SessionId, Transaction> bySession = new ConcurrentHashMap<>();

  /**
   * @param view the newest state of the store
   */
  NewestTransactions(ReadView view) {
    this.view = view;
  }

  /** Null if none of the session is remembered. */
  Transaction get(SessionId session) {
    return bySession.get(session);
  }

  void put(SessionId session, Transaction transaction) {
    bySession.put(session, transaction);
  }

  void remove(SessionId session, Transaction transaction) {
    bySession.remove(session, transaction);
  }

  Collection<Transaction> values() {
    return bySession.values();
  }

  boolean isCommitted(TransactionId id) {
    Transaction known = get(id.session());
    if (known != null && known.id().number() == id.number()) {
      return known.state() == State.COMMITTED;
    }
    NewestNumber stored = NewestNumber.of(id.session(), view);
    return stored.number() == id.number() && stored.committed();
  }

  /**
   * Refuses to start a transaction.
   *
   * @param restartable whether one with the same number may start anew
   * @return what is stored about the session
   */
  NewestNumber checkStart(TransactionId id, boolean restartable) {
    Transaction before = get(id.session());
    boolean restarts =
        restartable
            && before != null
            && before.id().number() == id.number()
            && before.state() != State.COMMITTED
            && before.state() != State.PREPARED;
    if (before != null && !restarts) {
      TransactionErrors.checkStart(id, before.id().number(), true);
    }
    NewestNumber stored = NewestNumber.of(id.session(), view);
    TransactionErrors.checkStart(id, stored.number(), stored.transaction());
    if (before != null) {
      requireNotPrepared(before);
    }
    return stored;
  }

  static void requireNotPrepared(Transaction transaction) {
    if (transaction.state() == State.PREPARED) {
      throw TransactionErrors.isPrepared();
    }
  }

  /** The transaction with this number, if it is the newest of its session. */
  Transaction require(TransactionId id) {
    Transaction transaction = get(id.session());
    long number = transaction == null ? -1 : transaction.id().number();
    if (transaction != null && number == id.number()) {
      return transaction;
    }
    NewestNumber stored = NewestNumber.of(id.session(), view);
    if (stored.number() == id.number() && stored.committed()) {
      throw TransactionErrors.isCommitted(id);
    }
    long active = Math.max(number, stored.number());
    if (active > id.number()) {
      throw TransactionErrors.tooOld(id, active, active == number || stored.transaction());
    }
    throw TransactionErrors.isNotActive(id, active);
  }

  TransactionFigures figures(long started, long committed, long aborted, TransactionEnds ends) {
    long open = 0;
    long active = 0;
    long latches = 0;
    long states = 0;
    long bytes = 0;
    long withoutOutcome = 0;
    for (Transaction transaction : values()) {
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
        started,
        committed,
        aborted,
        open,
        active,
        ends.figures(withoutOutcome),
        latches,
        states,
        bytes);
  }
}
