package dev.wisent.conformance.unified;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.opentest4j.TestAbortedException;

/** Runs operations of a case and checks what they return or throw. */
final class OperationExecutor {

  private static final String RUNNER = "testRunner";

  private final OperationTable<MongoCollection<BsonDocument>> onCollection =
      new OperationTable<>("collection");
  private final OperationTable<MongoDatabase> onDatabase = new OperationTable<>("database");
  private final OperationTable<ClientEntity> onClient = new OperationTable<>("client");
  private final OperationTable<ClientSession> onSession = new OperationTable<>("session");
  private final OperationTable<CursorEntity> onCursor = new OperationTable<>("cursor");
  private final RunnerOperations onRunner;

  OperationExecutor(RunnerOperations onRunner) {
    this.onRunner = onRunner;
    FindOperations.addTo(onCollection);
    AggregateOperations.addTo(onCollection, onDatabase);
    CountOperations.addTo(onCollection);
    InsertOperations.addTo(onCollection);
    UpdateOperations.addTo(onCollection);
    DeleteOperations.addTo(onCollection);
    FindOneAndOperations.addTo(onCollection);
    BulkWriteOperations.addTo(onCollection);
    ClientBulkWriteOperations.addTo(onClient);
    IndexOperations.addTo(onCollection);
    SearchIndexOperations.addTo(onCollection);
    CollectionOperations.addTo(onDatabase, onCollection);
    ListingOperations.addTo(onClient, onDatabase);
    CommandOperations.addTo(onDatabase);
    SessionOperations.addTo(onSession);
    CursorOperations.addTo(onCursor);
    ChangeStreamOperations.addTo(onCollection, onDatabase, onClient);
  }

  void run(BsonDocument operation, Entities entities) {
    String name = operation.getString("name").getValue();
    try {
      runChecked(name, operation, entities);
    } catch (AssertionError failure) {
      throw new AssertionError(name + ": " + failure.getMessage(), failure);
    }
  }

  private void runChecked(String name, BsonDocument operation, Entities entities) {
    boolean ignored = operation.getBoolean("ignoreResultAndError", BsonBoolean.FALSE).getValue();
    BsonDocument expectError = operation.getDocument("expectError", null);
    OperationResult result;
    try {
      result = dispatch(name, operation, entities);
    } catch (TestAbortedException skip) {
      throw skip;
    } catch (RuntimeException thrown) {
      if (ignored) {
        return;
      }
      if (expectError == null) {
        throw new AssertionError("unexpected " + thrown, thrown);
      }
      new ErrorMatcher(new ValueMatcher(entities)).check(expectError, thrown);
      return;
    }
    if (expectError != null) {
      throw new AssertionError(
          "expected an error " + expectError.toJson() + " but got " + result.value());
    }
    if (!ignored) {
      checkResult(operation, result, entities);
    }
  }

  private static void checkResult(
      BsonDocument operation, OperationResult result, Entities entities) {
    BsonValue expected = operation.get("expectResult");
    if (expected != null) {
      new ValueMatcher(entities)
          .check(expected, UnsortedResults.comparable(operation, result.value()));
    }
    if (operation.containsKey("saveResultAsEntity")) {
      entities.add(operation.getString("saveResultAsEntity").getValue(), result.entity());
    }
  }

  private OperationResult dispatch(String name, BsonDocument operation, Entities entities) {
    Arguments arguments =
        new Arguments(name, operation.getDocument("arguments", new BsonDocument()));
    Call call = new Call(arguments, entities, this);
    String object = operation.getString("object").getValue();
    OperationResult result =
        object.equals(RUNNER)
            ? onRunner.run(name, call)
            : dispatchToEntity(name, entities, object, call);
    arguments.requireAllRead();
    return result;
  }

  private OperationResult dispatchToEntity(String name, Entities entities, String id, Call call) {
    return switch (entities.find(id)) {
      case MongoCollection<?> collection ->
          onCollection.run(name, collection.withDocumentClass(BsonDocument.class), call);
      case MongoDatabase database -> onDatabase.run(name, database, call);
      case ClientEntity client -> onClient.run(name, client, call);
      case ClientSession session -> onSession.run(name, session, call);
      case CursorEntity cursor -> onCursor.run(name, cursor, call);
      case Object other ->
          throw new TestAbortedException("operation on a " + other.getClass().getSimpleName());
    };
  }
}
