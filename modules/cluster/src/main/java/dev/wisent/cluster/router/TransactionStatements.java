package dev.wisent.cluster.router;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.cluster.call.RoutedTransaction;
import dev.wisent.cluster.call.StaleRetry;
import dev.wisent.server.operation.RunningOperation;
import java.util.List;

/** Runs the statements of transactions. */
final class TransactionStatements {
  /** How often the first statement of a transaction is tried, as MongoDB does. */
  private static final int FIRST_ATTEMPTS_MAX = 10;

  private static final String TRANSIENT = "TransientTransactionError";

  private final RouterTransactions transactions;
  private final StaleRetry retry;

  TransactionStatements(RouterTransactions transactions, StaleRetry retry) {
    this.transactions = transactions;
    this.retry = retry;
  }

  /** Runs a statement of a transaction. Where it fails, the transaction ends on all shards. */
  void run(
      RunningOperation operation,
      RoutedTransaction transaction,
      BsonBuilder reply,
      Runnable statement) {
    ErrorCode failure = ErrorCode.INTERNAL_ERROR;
    boolean done = false;
    transaction.enter();
    try {
      for (int attempt = 1; !done; attempt++) {
        try {
          statement.run();
          done = true;
        } catch (CommandException e) {
          boolean stale = retry.refresh(e);
          if (attempt < FIRST_ATTEMPTS_MAX && mayRestart(operation, stale, e)) {
            transactions.abortParts(transaction);
            transaction.restart(transactions.readConcern(operation.request(), operation.context()));
          } else {
            failure = e.code();
            throw stale ? new CommandException(e.code(), e.getMessage(), List.of(TRANSIENT)) : e;
          }
        }
      }
    } finally {
      transaction.leave();
      ErrorCode failed = done ? operation.context().writes().failure() : failure;
      if (failed != null) {
        transactions.abort(transaction, failed);
      }
    }
    TransactionEnd.appendToken(reply, transaction);
  }

  /** The first statement alone can be run again: no result of the transaction is known yet. */
  private static boolean mayRestart(
      RunningOperation operation, boolean stale, CommandException error) {
    boolean snapshot =
        error.code() == ErrorCode.SNAPSHOT_TOO_OLD
            || error.code() == ErrorCode.SNAPSHOT_UNAVAILABLE;
    return operation.request().startsTransaction() && (stale || snapshot);
  }
}
