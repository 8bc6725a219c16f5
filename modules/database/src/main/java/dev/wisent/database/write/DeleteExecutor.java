package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.session.RetryableStatements;
import dev.wisent.database.session.RetryableStatements.Recording;
import dev.wisent.database.write.MatchedRecords.Selection;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.WriteOutcome;
import java.util.List;

/** Deletes the first document that matches, or all of them. */
public final class DeleteExecutor {
  private final WriteAccess access;
  private final MatchedRecords records;

  public DeleteExecutor(WriteAccess access) {
    this.access = access;
    this.records = new MatchedRecords(access, Integer.MAX_VALUE);
  }

  public WriteOutcome delete(OperationContext operation, DeleteRequest request) {
    var outcome = new WriteOutcome();
    RetryableStatements retryable = OperationState.statements(operation);
    List<DeleteStatement> statements = request.statements();
    for (int i = 0; i < statements.size(); i++) {
      operation.checkInterrupt();
      DeleteStatement statement = statements.get(i);
      try {
        if (retryable != null && isDone(retryable, statement, i)) {
          outcome.addMatched(1);
          outcome.addRetried(retryable.statementId());
        } else if (statement.multi()) {
          outcome.addMatched(deleteAll(request.namespace(), statement, operation));
        } else {
          RawDocument deleted =
              deleteOne(request.namespace(), statement, RawDocument.EMPTY, operation);
          outcome.addMatched(deleted == null ? 0 : 1);
        }
      } catch (CommandException e) {
        outcome.addFailure(i, e);
        if (Conflicts.endsBatch(e, request.ordered(), operation)) {
          break;
        }
      }
    }
    return outcome;
  }

  private static boolean isDone(
      RetryableStatements retryable, DeleteStatement statement, int index) {
    if (statement.multi()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "Cannot use (or request) retryable writes with limit=0");
    }
    return retryable.begin(index, Recording.COUNT);
  }

  /** Deletes the first match; returns it as it was, or null. */
  RawDocument deleteOne(
      Namespace namespace,
      DeleteStatement statement,
      RawDocument sort,
      OperationContext operation) {
    return access.inCollection(
        namespace,
        false,
        operation,
        collection ->
            collection == null ? null : deleteFirst(collection, statement, sort, operation));
  }

  private RawDocument deleteFirst(
      Collection collection,
      DeleteStatement statement,
      RawDocument sort,
      OperationContext operation) {
    return records.changeFirst(
        collection, selection(statement, sort), operation, DeleteExecutor::delete);
  }

  private static RawDocument delete(WriteUnit unit, RecordFinder finder, RawDocument before) {
    unit.delete(finder.recordId(), before);
    return before;
  }

  private static Selection selection(DeleteStatement statement, RawDocument sort) {
    return new Selection(statement.query(), sort, statement.hint(), statement.collation());
  }

  private long deleteAll(
      Namespace namespace, DeleteStatement statement, OperationContext operation) {
    long[] deleted = {0};
    records.changeAll(
        namespace,
        selection(statement, RawDocument.EMPTY),
        operation,
        collection -> DeleteExecutor::delete,
        document -> deleted[0]++);
    return deleted[0];
  }
}
