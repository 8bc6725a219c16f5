package dev.wisent.conformance.unified;

import com.mongodb.client.ListIndexesIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Creating, dropping and listing indexes. */
final class IndexOperations {

  private IndexOperations() {}

  static void addTo(OperationTable<MongoCollection<BsonDocument>> table) {
    table.add("createIndex", IndexOperations::createIndex);
    table.add("dropIndex", IndexOperations::dropIndex);
    table.add("dropIndexes", IndexOperations::dropIndexes);
    table.add(
        "listIndexes", (collection, call) -> OperationResult.ofAll(indexes(collection, call)));
    table.add("listIndexNames", IndexOperations::listIndexNames);
  }

  private static OperationResult createIndex(MongoCollection<BsonDocument> collection, Call call) {
    Arguments arguments = call.arguments();
    BsonDocument keys = arguments.document("keys");
    IndexOptions options = new IndexOptions();
    arguments.ifString("name", options::name);
    arguments.ifBoolean("unique", options::unique);
    arguments.ifBoolean("sparse", options::sparse);
    arguments.ifBoolean("hidden", options::hidden);
    arguments.ifDocument("partialFilterExpression", options::partialFilterExpression);
    arguments.ifCollation(options::collation);
    arguments.ifLong("expireAfterSeconds", ttl -> options.expireAfter(ttl, TimeUnit.SECONDS));
    return OperationResult.of(
        new BsonString(
            call.session()
                .map(session -> collection.createIndex(session, keys, options))
                .orElseGet(() -> collection.createIndex(keys, options))));
  }

  private static OperationResult dropIndex(MongoCollection<BsonDocument> collection, Call call) {
    String name = call.arguments().string("name");
    call.session()
        .ifPresentOrElse(
            session -> collection.dropIndex(session, name), () -> collection.dropIndex(name));
    return OperationResult.none();
  }

  private static OperationResult dropIndexes(MongoCollection<BsonDocument> collection, Call call) {
    call.session().ifPresentOrElse(collection::dropIndexes, collection::dropIndexes);
    return OperationResult.none();
  }

  private static OperationResult listIndexNames(
      MongoCollection<BsonDocument> collection, Call call) {
    return OperationResult.ofAll(
        indexes(collection, call).stream().map(index -> index.getString("name")).toList());
  }

  private static List<BsonDocument> indexes(MongoCollection<BsonDocument> collection, Call call) {
    ListIndexesIterable<BsonDocument> list =
        call.session()
            .map(session -> collection.listIndexes(session, BsonDocument.class))
            .orElseGet(() -> collection.listIndexes(BsonDocument.class));
    call.arguments().ifInt("batchSize", list::batchSize);
    call.arguments().ifValue("comment", list::comment);
    return list.into(new ArrayList<>());
  }
}
