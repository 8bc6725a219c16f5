package dev.wisent.conformance.unified;

import com.mongodb.client.ListCollectionsIterable;
import com.mongodb.client.ListDatabasesIterable;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;

/** Listing databases and collections, whole or only their names. */
final class ListingOperations {

  private ListingOperations() {}

  static void addTo(OperationTable<ClientEntity> clients, OperationTable<MongoDatabase> databases) {
    clients.add(
        "listDatabases",
        (entity, call) -> OperationResult.ofAll(databases(entity.client(), call, false)));
    clients.add(
        "listDatabaseNames", (entity, call) -> names(databases(entity.client(), call, true)));
    databases.add(
        "listCollections", (database, call) -> OperationResult.ofAll(collections(database, call)));
    databases.add("listCollectionNames", (database, call) -> names(collections(database, call)));
  }

  private static List<BsonDocument> databases(MongoClient client, Call call, boolean nameOnly) {
    ListDatabasesIterable<BsonDocument> list =
        call.session()
            .map(session -> client.listDatabases(session, BsonDocument.class))
            .orElseGet(() -> client.listDatabases(BsonDocument.class));
    if (nameOnly) {
      list.nameOnly(true);
    }
    call.arguments().ifDocument("filter", list::filter);
    call.arguments().ifBoolean("authorizedDatabases", list::authorizedDatabasesOnly);
    return list.into(new ArrayList<>());
  }

  private static List<BsonDocument> collections(MongoDatabase database, Call call) {
    ListCollectionsIterable<BsonDocument> list =
        call.session()
            .map(session -> database.listCollections(session, BsonDocument.class))
            .orElseGet(() -> database.listCollections(BsonDocument.class));
    call.arguments().ifDocument("filter", list::filter);
    call.arguments().ifInt("batchSize", list::batchSize);
    call.arguments().ifValue("comment", list::comment);
    return list.into(new ArrayList<>());
  }

  private static OperationResult names(List<BsonDocument> described) {
    return OperationResult.ofAll(described.stream().map(d -> d.getString("name")).toList());
  }
}
