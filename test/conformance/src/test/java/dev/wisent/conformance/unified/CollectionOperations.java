package dev.wisent.conformance.unified;

import com.mongodb.MongoNamespace;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.RenameCollectionOptions;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Creating, changing, renaming and dropping collections. */
final class CollectionOperations {

  private CollectionOperations() {}

  static void addTo(
      OperationTable<MongoDatabase> databases,
      OperationTable<MongoCollection<BsonDocument>> collections) {
    databases.add("createCollection", CollectionOperations::create);
    databases.add("modifyCollection", CollectionOperations::modify);
    databases.add("dropCollection", CollectionOperations::drop);
    collections.add("rename", CollectionOperations::rename);
  }

  /** The format's options are the command's, so the command is sent as it is. */
  private static OperationResult create(MongoDatabase database, Call call) {
    String name = call.arguments().string("collection");
    run(database, call, "create", name);
    return OperationResult.entity(database.getCollection(name, BsonDocument.class));
  }

  private static OperationResult modify(MongoDatabase database, Call call) {
    return OperationResult.of(
        run(database, call, "collMod", call.arguments().string("collection")));
  }

  private static OperationResult drop(MongoDatabase database, Call call) {
    MongoCollection<BsonDocument> collection =
        database.getCollection(call.arguments().string("collection"), BsonDocument.class);
    call.session().ifPresentOrElse(collection::drop, collection::drop);
    return OperationResult.none();
  }

  private static OperationResult rename(MongoCollection<BsonDocument> collection, Call call) {
    RenameCollectionOptions options = new RenameCollectionOptions();
    call.arguments().ifBoolean("dropTarget", options::dropTarget);
    collection.renameCollection(
        new MongoNamespace(
            collection.getNamespace().getDatabaseName(), call.arguments().string("to")),
        options);
    return OperationResult.none();
  }

  private static BsonDocument run(
      MongoDatabase database, Call call, String command, String collection) {
    Optional<ClientSession> session = call.session();
    BsonDocument document = new BsonDocument(command, new BsonString(collection));
    document.putAll(call.arguments().rest());
    return session
        .map(s -> database.runCommand(s, document, BsonDocument.class))
        .orElseGet(() -> database.runCommand(document, BsonDocument.class));
  }
}
