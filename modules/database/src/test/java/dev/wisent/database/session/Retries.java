package dev.wisent.database.session;

import dev.wisent.base.Clock;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.StatementIds;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import java.util.List;

/** A client's session that sends writes as often as it likes. */
final class Retries {
  private final SessionId session;

  Retries(long number) {
    this.session = SessionId.of(42, number);
  }

  OperationContext operation(long txnNumber) {
    return operation(txnNumber, StatementIds.IN_ORDER);
  }

  OperationContext operation(long txnNumber, StatementIds ids) {
    OperationContext operation = OperationContext.internal(Clock.system());
    operation.retryableWrite(new RetryableWrite(session, txnNumber, ids));
    return operation;
  }

  WriteOutcome insert(LocalDatabase database, long txnNumber, List<RawDocument> documents) {
    return database.insert(
        operation(txnNumber), new InsertRequest(TestDatabase.NAMESPACE, documents, false, false));
  }

  WriteOutcome update(LocalDatabase database, long txnNumber, List<UpdateStatement> statements) {
    return database.update(
        operation(txnNumber), new UpdateRequest(TestDatabase.NAMESPACE, statements, true, false));
  }

  WriteOutcome delete(LocalDatabase database, long txnNumber, List<DeleteStatement> statements) {
    return database.delete(
        operation(txnNumber), new DeleteRequest(TestDatabase.NAMESPACE, statements, true));
  }

  FindAndModifyOutcome findAndModify(
      LocalDatabase database, long txnNumber, FindAndModifyRequest request) {
    return database.findAndModify(operation(txnNumber), request);
  }

  static DeleteStatement deleteOf(String query) {
    return new DeleteStatement(RawDocument.parse(query), false, null);
  }

  /** A removal without an update, else an update or upsert. */
  static FindAndModifyRequest findAndModify(
      String query, String update, boolean returnNew, boolean upsert, String fields) {
    return new FindAndModifyRequest(
        TestDatabase.NAMESPACE,
        RawDocument.parse(query),
        RawDocument.EMPTY,
        update == null ? null : TestDatabase.value(update),
        returnNew,
        upsert,
        RawDocument.parse(fields),
        List.of(),
        false,
        null);
  }
}
