package dev.wisent.conformance.unified;

import com.mongodb.ReadPreference;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import java.util.Optional;
import org.bson.BsonDocument;

/** Arbitrary commands, with and without a cursor in the reply. */
final class CommandOperations {

  private CommandOperations() {}

  static void addTo(OperationTable<MongoDatabase> table) {
    table.add("runCommand", CommandOperations::runCommand);
    table.add("createCommandCursor", CommandOperations::createCommandCursor);
    table.add("runCursorCommand", CommandOperations::runCursorCommand);
  }

  private static OperationResult runCommand(MongoDatabase database, Call call) {
    Arguments arguments = call.arguments();
    arguments.string("commandName");
    BsonDocument command = arguments.document("command");
    ReadPreference preference =
        arguments
            .optional("readPreference")
            .map(value -> DriverOptions.readPreference(value.asDocument()))
            .orElse(ReadPreference.primary());
    return OperationResult.of(
        call.session()
            .map(s -> database.runCommand(s, command, preference, BsonDocument.class))
            .orElseGet(() -> database.runCommand(command, preference, BsonDocument.class)));
  }

  private static OperationResult createCommandCursor(MongoDatabase database, Call call) {
    return OperationResult.entity(open(database, call));
  }

  private static OperationResult runCursorCommand(MongoDatabase database, Call call) {
    try (CommandCursor cursor = open(database, call)) {
      return OperationResult.ofAll(cursor.drain());
    }
  }

  private static CommandCursor open(MongoDatabase database, Call call) {
    Arguments arguments = call.arguments();
    arguments.string("commandName");
    // Only tells drivers with their own cursor type how to read an empty batch.
    arguments.optional("cursorType");
    BsonDocument command = arguments.document("command");
    BsonDocument getMoreOptions = new BsonDocument();
    for (String option : new String[] {"batchSize", "maxTimeMS", "comment"}) {
      arguments.ifValue(option, value -> getMoreOptions.put(option, value));
    }
    Optional<ClientSession> given = call.session();
    // A cursor belongs to the session that opened it, so an implicit one has to live as long.
    ClientSession session =
        given.orElseGet(() -> call.entities().clientOf(database).startSession());
    try {
      BsonDocument reply = database.runCommand(session, command, BsonDocument.class);
      return new CommandCursor(database, session, given.isEmpty(), reply, getMoreOptions);
    } catch (RuntimeException e) {
      if (given.isEmpty()) {
        session.close();
      }
      throw e;
    }
  }
}
