package dev.wisent.conformance.unified;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.DeleteOptions;
import org.bson.BsonDocument;

/** {@code deleteOne} and {@code deleteMany}. */
final class DeleteOperations {

  private DeleteOperations() {}

  static void addTo(OperationTable<MongoCollection<BsonDocument>> table) {
    table.add("deleteOne", DeleteOperations::deleteOne);
    table.add("deleteMany", DeleteOperations::deleteMany);
  }

  private static OperationResult deleteOne(MongoCollection<BsonDocument> collection, Call call) {
    BsonDocument filter = call.arguments().document("filter");
    DeleteOptions options = options(call.arguments());
    return OperationResult.of(
        WriteResults.of(
            call.session()
                .map(session -> collection.deleteOne(session, filter, options))
                .orElseGet(() -> collection.deleteOne(filter, options))));
  }

  private static OperationResult deleteMany(MongoCollection<BsonDocument> collection, Call call) {
    BsonDocument filter = call.arguments().document("filter");
    DeleteOptions options = options(call.arguments());
    return OperationResult.of(
        WriteResults.of(
            call.session()
                .map(session -> collection.deleteMany(session, filter, options))
                .orElseGet(() -> collection.deleteMany(filter, options))));
  }

  static DeleteOptions options(Arguments arguments) {
    DeleteOptions options = new DeleteOptions();
    arguments.ifCollation(options::collation);
    arguments.ifValue("comment", options::comment);
    arguments.ifHint(options::hint, options::hintString);
    arguments.ifDocument("let", options::let);
    return options;
  }
}
