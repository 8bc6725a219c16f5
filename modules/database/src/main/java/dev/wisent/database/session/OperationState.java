package dev.wisent.database.session;

import dev.wisent.operation.OperationContext;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.operation.StoreAttachment;
import dev.wisent.sharding.RequestVersions;
import dev.wisent.storage.CommitFuture;

/** What the store keeps with an operation. For the thread of the operation. */
public final class OperationState implements StoreAttachment {
  private CommitFuture lastCommit;
  private RetryableStatements statements;
  private StatementScope scope;
  private RequestVersions routed;

  private OperationState() {}

  private static OperationState find(OperationContext operation) {
    return (OperationState) operation.attachment();
  }

  private static OperationState of(OperationContext operation) {
    OperationState state = find(operation);
    if (state == null) {
      state = new OperationState();
      operation.attachment(state);
    }
    return state;
  }

  /** The statements of an operation that is a retryable write; null for any other. */
  public static RetryableStatements statements(OperationContext operation) {
    RetryableWrite write = operation.retryableWrite();
    if (write == null) {
      return null;
    }
    OperationState state = of(operation);
    if (state.statements == null) {
      state.statements = new RetryableStatements(write, operation.clock());
    }
    return state.statements;
  }

  /** Makes an operation a statement of a transaction; null ends that. */
  public static void scope(OperationContext operation, StatementScope scope) {
    of(operation).scope = scope;
  }

  /** The transaction that an operation is a statement of; null for any other. */
  public static StatementScope scope(OperationContext operation) {
    OperationState state = find(operation);
    return state == null ? null : state.scope;
  }

  /** Says that a router sent the operation here, and by which versions. */
  public static void routed(OperationContext operation, RequestVersions versions) {
    of(operation).routed = versions;
  }

  /** The versions that a router sent the operation with; null if no router did. */
  public static RequestVersions routed(OperationContext operation) {
    OperationState state = find(operation);
    return state == null ? null : state.routed;
  }

  public static void committed(OperationContext operation, CommitFuture commit) {
    of(operation).lastCommit = commit;
  }

  /** The newest write of an operation; null if it has written nothing. */
  public static CommitFuture lastCommit(OperationContext operation) {
    OperationState state = find(operation);
    return state == null ? null : state.lastCommit;
  }

  /**
   * Waits until a mutation of an operation is applied, or will certainly not be by this node. The
   * operation holds latches and cannot give up the wait: where it must stop, its client is
   * answered, and the wait goes on.
   */
  public static void awaitApplied(CommitFuture commit, OperationContext operation) {
    operation.answerWhile(commit::awaitApplied);
    commit.awaitApplied();
  }

  @Override
  public boolean hasWritten() {
    return lastCommit != null;
  }

  @Override
  public long lastWriteTime() {
    return lastCommit == null ? 0 : lastCommit.timestamp();
  }
}
