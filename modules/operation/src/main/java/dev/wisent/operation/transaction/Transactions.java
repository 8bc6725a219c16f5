package dev.wisent.operation.transaction;

import dev.wisent.base.ErrorCode;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.OperationWrites;
import dev.wisent.operation.SessionId;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The transactions of a node. One statement of a session runs at a time; a second one waits.
 *
 * <p>Errors are those that drivers know: NoSuchTransaction, TransactionTooOld,
 * TransactionCommitted, WriteConflict, with the label {@code TransientTransactionError} where the
 * whole transaction may be tried again.
 */
public interface Transactions {
  /**
   * Runs a statement in its transaction, which it starts or continues. While {@code work} runs, the
   * operation reads the transaction's snapshot with its own writes, and what it writes becomes
   * visible with the commit. If {@code work} throws, or if one of its writes has failed as {@link
   * OperationWrites} has it, the transaction is aborted.
   */
  void run(OperationContext operation, TransactionStatement statement, Runnable work);

  /**
   * Commits a transaction. Sent again, also to another primary, it gives the first answer. When it
   * returns, the operation's last write is the commit, for the wait for the write concern.
   */
  void commit(OperationContext operation, TransactionId id);

  /**
   * Commits a prepared transaction at a time that is not before that of its preparation. Sent
   * again, it gives the first answer.
   *
   * @param time as the 64 bits of a BSON timestamp
   */
  void commit(OperationContext operation, TransactionId id, long time);

  /**
   * Prepares a transaction of several shards: from now on it can be committed whatever happens, and
   * ends only as its coordinator says. Sent again, it gives the first answer.
   *
   * @param coordinator the shard that knows the outcome, for {@link #prepared}; null if not told
   * @return the time of the preparation
   */
  long prepare(OperationContext operation, TransactionId id, String coordinator);

  /** What is prepared here and has no outcome yet, while this node leads. */
  List<PreparedPart> prepared();

  /** Aborts a transaction that is not prepared. */
  void abort(OperationContext operation, TransactionId id);

  /**
   * Aborts a transaction as its coordinator has decided, whether it is prepared, open or not known
   * here. That is stored: a statement or a preparation that comes late is refused, after every
   * election too. NoSuchTransaction where it is stored already, or the session has no such one.
   */
  void abortDecided(OperationContext operation, TransactionId id);

  /** Whether a transaction has committed; waits for the outcome of a prepared one. */
  boolean isCommitted(OperationContext operation, TransactionId id);

  /** Aborts the open transactions of sessions; returns how many there were. */
  int abortAll(Predicate<SessionId> sessions, ErrorCode reason);

  /** Aborts the transactions whose lifetime is over; returns how many there were. */
  int abortExpired();

  /** What can be changed while the server runs. */
  TransactionLimits limits();

  List<OpenTransaction> open();

  TransactionFigures figures();

  /**
   * Sets what is told of each transaction that was started, when it has ended and none of its
   * statements runs any more; its cursors end then.
   */
  void onEnd(Consumer<EndedTransaction> listener);
}
