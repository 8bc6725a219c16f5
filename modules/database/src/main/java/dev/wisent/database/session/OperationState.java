package dev.wisent.database.session;

import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.operation.StoreAttachment;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.sharding.RequestVersions;
import dev.wisent.storage.CommitFuture;
import java.util.List;

/** What the store keeps with an operation. For the thread of the operation. */
public final class OperationState implements StoreAttachment {
  private CommitFuture lastCommit;
  private RetryableStatements statements;
  private StatementScope scope;
  private RequestVersions routed;
  private DocumentMoves moves;
  private boolean migration;
  private List<OwnedRanges> restrictions = List.of();
  private Namespace admitted;

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

  /**
   * The statements of an operation that is a retryable write, or part of one that moves a document
   * to another shard; null for any other.
   */
  public static RetryableStatements statements(OperationContext operation) {
    RetryableWrite write = operation.retryableWrite();
    if (write == null) {
      write = moveOf(operation);
    }
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

  /**
   * Marks what an operation writes as a part of a migration ({@code fromMigrate} in the oplog), so
   * that change streams leave it out. Documents come as they are, empty timestamps too.
   */
  public static void ofMigration(OperationContext operation) {
    of(operation).migration = true;
    operation.writes().keepEmptyTimestamps(true);
  }

  /** Whether an operation writes for a migration. */
  public static boolean isOfMigration(OperationContext operation) {
    OperationState state = find(operation);
    return state != null && state.migration;
  }

  /** Has an operation change only documents in all of these, however many this shard owns. */
  public static void restrict(OperationContext operation, List<OwnedRanges> ranges) {
    of(operation).restrictions = List.copyOf(ranges);
  }

  /** What an operation may change: documents that are in all of these. */
  public static List<OwnedRanges> restrictions(OperationContext operation) {
    OperationState state = find(operation);
    return state == null ? List.of() : state.restrictions;
  }

  /**
   * Says of which collection a write of an operation is under way until further notice, also while
   * it waits for another write.
   *
   * @param namespace null to end that
   */
  public static void admitted(OperationContext operation, Namespace namespace) {
    of(operation).admitted = namespace;
  }

  /** Null for an operation that has none. */
  public static Namespace admitted(OperationContext operation) {
    OperationState state = find(operation);
    return state == null ? null : state.admitted;
  }

  /** Lets a statement of a transaction move documents to other shards. */
  public static void moves(OperationContext operation, DocumentMoves allowed) {
    of(operation).moves = allowed;
  }

  /** What an operation moves to other shards; null where it may not. */
  public static DocumentMoves moves(OperationContext operation) {
    OperationState state = find(operation);
    return state == null ? null : state.moves;
  }

  /** Whether an operation is a retryable write, or part of one. */
  public static boolean isRetryable(OperationContext operation) {
    return operation.retryableWrite() != null || moveOf(operation) != null;
  }

  /** The retryable write that an operation in a transaction is a part of; null for any other. */
  static RetryableWrite moveOf(OperationContext operation) {
    DocumentMoves moves = moves(operation);
    return moves == null ? null : moves.ofWrite();
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
