package dev.wisent.conformance.unified;

import com.mongodb.client.ClientSession;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/** One operation as a handler sees it: its arguments and the case around it. */
record Call(Arguments arguments, Entities entities, OperationExecutor executor) {

  /** The session that the operation names, if it names one. */
  Optional<ClientSession> session() {
    return arguments
        .optional("session")
        .map(id -> entities.find(id.asString().getValue(), ClientSession.class));
  }

  /** Runs operations that are arguments of this one. */
  void runNested(List<BsonDocument> operations) {
    operations.forEach(operation -> executor.run(operation, entities));
  }
}
