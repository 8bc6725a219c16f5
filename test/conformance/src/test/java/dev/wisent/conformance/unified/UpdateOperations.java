package dev.wisent.conformance.unified;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.result.UpdateResult;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/** {@code updateOne}, {@code updateMany} and {@code replaceOne}. */
final class UpdateOperations {

  private UpdateOperations() {}

  static void addTo(OperationTable<MongoCollection<BsonDocument>> table) {
    table.add("updateOne", UpdateOperations::updateOne);
    table.add("updateMany", UpdateOperations::updateMany);
    table.add("replaceOne", UpdateOperations::replaceOne);
  }

  private static OperationResult updateOne(MongoCollection<BsonDocument> collection, Call call) {
    BsonDocument filter = call.arguments().document("filter");
    UpdateOptions options = updateOptions(call.arguments());
    Optional<ClientSession> session = call.session();
    UpdateResult result;
    if (call.arguments().isArray("update")) {
      List<BsonDocument> pipeline = call.arguments().documents("update");
      result =
          session
              .map(s -> collection.updateOne(s, filter, pipeline, options))
              .orElseGet(() -> collection.updateOne(filter, pipeline, options));
    } else {
      BsonDocument update = call.arguments().document("update");
      result =
          session
              .map(s -> collection.updateOne(s, filter, update, options))
              .orElseGet(() -> collection.updateOne(filter, update, options));
    }
    return OperationResult.of(WriteResults.of(result));
  }

  private static OperationResult updateMany(MongoCollection<BsonDocument> collection, Call call) {
    BsonDocument filter = call.arguments().document("filter");
    UpdateOptions options = updateOptions(call.arguments());
    Optional<ClientSession> session = call.session();
    UpdateResult result;
    if (call.arguments().isArray("update")) {
      List<BsonDocument> pipeline = call.arguments().documents("update");
      result =
          session
              .map(s -> collection.updateMany(s, filter, pipeline, options))
              .orElseGet(() -> collection.updateMany(filter, pipeline, options));
    } else {
      BsonDocument update = call.arguments().document("update");
      result =
          session
              .map(s -> collection.updateMany(s, filter, update, options))
              .orElseGet(() -> collection.updateMany(filter, update, options));
    }
    return OperationResult.of(WriteResults.of(result));
  }

  private static OperationResult replaceOne(MongoCollection<BsonDocument> collection, Call call) {
    BsonDocument filter = call.arguments().document("filter");
    BsonDocument replacement = call.arguments().document("replacement");
    ReplaceOptions options = replaceOptions(call.arguments());
    return OperationResult.of(
        WriteResults.of(
            call.session()
                .map(session -> collection.replaceOne(session, filter, replacement, options))
                .orElseGet(() -> collection.replaceOne(filter, replacement, options))));
  }

  static UpdateOptions updateOptions(Arguments arguments) {
    UpdateOptions options = new UpdateOptions();
    arguments.ifBoolean("upsert", options::upsert);
    arguments.ifBoolean("bypassDocumentValidation", options::bypassDocumentValidation);
    arguments.ifDocuments("arrayFilters", options::arrayFilters);
    arguments.ifCollation(options::collation);
    arguments.ifValue("comment", options::comment);
    arguments.ifHint(options::hint, options::hintString);
    arguments.ifDocument("let", options::let);
    arguments.ifDocument("sort", options::sort);
    return options;
  }

  static ReplaceOptions replaceOptions(Arguments arguments) {
    ReplaceOptions options = new ReplaceOptions();
    arguments.ifBoolean("upsert", options::upsert);
    arguments.ifBoolean("bypassDocumentValidation", options::bypassDocumentValidation);
    arguments.ifCollation(options::collation);
    arguments.ifValue("comment", options::comment);
    arguments.ifHint(options::hint, options::hintString);
    arguments.ifDocument("let", options::let);
    arguments.ifDocument("sort", options::sort);
    return options;
  }
}
