package dev.wisent.conformance.unified;

import com.mongodb.client.ClientSession;
import com.mongodb.client.TransactionBody;
import java.util.List;
import org.bson.BsonDocument;

/** Ending sessions, and transactions. */
final class SessionOperations {

  private SessionOperations() {}

  static void addTo(OperationTable<ClientSession> table) {
    table.add("endSession", SessionOperations::end);
    table.add("startTransaction", SessionOperations::startTransaction);
    table.add("commitTransaction", SessionOperations::commit);
    table.add("abortTransaction", SessionOperations::abort);
    table.add("withTransaction", SessionOperations::withTransaction);
    table.add(
        "getSnapshotTime", (session, call) -> OperationResult.of(session.getSnapshotTimestamp()));
  }

  private static OperationResult end(ClientSession session, Call call) {
    session.close();
    return OperationResult.none();
  }

  private static OperationResult startTransaction(ClientSession session, Call call) {
    session.startTransaction(DriverOptions.transaction(call.arguments().rest()));
    return OperationResult.none();
  }

  private static OperationResult commit(ClientSession session, Call call) {
    session.commitTransaction();
    return OperationResult.none();
  }

  private static OperationResult abort(ClientSession session, Call call) {
    session.abortTransaction();
    return OperationResult.none();
  }

  private static OperationResult withTransaction(ClientSession session, Call call) {
    List<BsonDocument> operations = call.arguments().documents("callback");
    TransactionBody<Boolean> body =
        () -> {
          call.runNested(operations);
          return true;
        };
    session.withTransaction(body, DriverOptions.transaction(call.arguments().rest()));
    return OperationResult.none();
  }
}
