package dev.wisent.database.transaction;

import dev.wisent.base.CommandException;
import dev.wisent.database.session.NewestNumber;
import dev.wisent.database.session.RetryableStatements;
import dev.wisent.database.transaction.Transaction.State;
import dev.wisent.database.write.TransactionWrites;
import dev.wisent.operation.RetryableWrite;
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

  /** Whether one of them has moved a document for a retryable write. */
  private volatile boolean moves;

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

  /** The transaction, if it is the newest of its session that is remembered; otherwise null. */
  Transaction find(TransactionId id) {
    Transaction newest = get(id.session());
    return newest != null && newest.id().number() == id.number() ? newest : null;
  }

  void put(SessionId session, Transaction transaction) {
    if (session.isOfMoves()) {
      moves = true;
    }
    bySession.put(session, transaction);
  }

  /** The transaction that moves a document for a write of a session; null if it has ended. */
  Transaction moveFor(SessionId session) {
    Transaction move = moves ? get(session.ofMoves()) : null;
    return move != null && move.isUndecided() ? move : null;
  }

  /** The transaction that a retryable write ends; null if there is none. */
  Transaction olderThan(RetryableWrite write) {
    Transaction transaction = get(write.session());
    if (transaction == null) {
      return null;
    }
    long number = transaction.id().number();
    if (number == write.txnNumber()) {
      throw RetryableStatements.isTransaction();
    }
    if (number > write.txnNumber()) {
      throw RetryableStatements.tooOld(write, number, true);
    }
    requireNotPrepared(transaction);
    return transaction;
  }

  void remove(SessionId session, Transaction transaction) {
    bySession.remove(session, transaction);
  }

  Collection<Transaction> values() {
    return bySession.values();
  }

  boolean isCommitted(TransactionId id) {
    Transaction known = find(id);
    if (known != null) {
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
    if (number > Math.max(id.number(), stored.number())) {
      throw TransactionErrors.tooOld(id, number, true);
    }
    throw notOpen(id, stored);
  }

  /** Why a transaction is not open that is not the one that is remembered of its session. */
  CommandException notOpen(TransactionId id, NewestNumber stored) {
    if (stored.number() > id.number()) {
      return TransactionErrors.tooOld(id, stored.number(), stored.transaction());
    }
    if (stored.number() < id.number()) {
      return TransactionErrors.isNotActive(id, stored.number());
    }
    return switch (stored.end()) {
      case COMMITTED -> TransactionErrors.isCommitted(id);
      // Forgotten at the end of a term: the next one takes it up again.
      case PREPARED -> TransactionErrors.notPrimary();
      case ABORTED, NONE -> TransactionErrors.isNotActive(id, stored.number());
    };
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
