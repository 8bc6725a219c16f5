package dev.wisent.operation.transaction;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SessionId;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The transactions of a node that has none: every one is refused. */
public class NoTransactions implements Transactions {
  @Override
  public void run(OperationContext operation, TransactionStatement statement, Runnable work) {
    throw refused();
  }

  @Override
  public void commit(OperationContext operation, TransactionId id) {
    throw refused();
  }

  @Override
  public void commit(OperationContext operation, TransactionId id, long time) {
    throw refused();
  }

  @Override
  public long prepare(OperationContext operation, TransactionId id, String coordinator) {
    throw refused();
  }

  @Override
  public List<PreparedPart> prepared() {
    return List.of();
  }

  @Override
  public void abort(OperationContext operation, TransactionId id) {
    throw refused();
  }

  @Override
  public void abortDecided(OperationContext operation, TransactionId id) {
    throw refused();
  }

  @Override
  public boolean isCommitted(OperationContext operation, TransactionId id) {
    return false;
  }

  /** Not IllegalOperation, after which drivers advise to switch retryable writes off. */
  private static CommandException refused() {
    return new CommandException(
        ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION,
        "Multi-document transactions are not supported yet");
  }

  @Override
  public int abortAll(Predicate<SessionId> sessions, ErrorCode reason) {
    return 0;
  }

  @Override
  public int abortExpired() {
    return 0;
  }

  @Override
  public TransactionLimits limits() {
    return new TransactionLimits();
  }

  @Override
  public List<OpenTransaction> open() {
    return List.of();
  }

  @Override
  public TransactionFigures figures() {
    return TransactionFigures.NONE;
  }

  @Override
  public void onEnd(Consumer<EndedTransaction> listener) {
    // None begins.
  }
}
