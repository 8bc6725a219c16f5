package dev.wisent.conformance.unified;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteManyModel;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import java.util.List;
import org.bson.BsonDocument;

/** {@code bulkWrite} on one collection. */
final class BulkWriteOperations {

  private BulkWriteOperations() {}

  static void addTo(OperationTable<MongoCollection<BsonDocument>> table) {
    table.add("bulkWrite", BulkWriteOperations::bulkWrite);
  }

  private static OperationResult bulkWrite(MongoCollection<BsonDocument> collection, Call call) {
    Arguments arguments = call.arguments();
    List<WriteModel<BsonDocument>> models =
        arguments.documents("requests").stream().map(BulkWriteOperations::model).toList();
    BulkWriteOptions options = new BulkWriteOptions();
    arguments.ifBoolean("ordered", options::ordered);
    arguments.ifBoolean("bypassDocumentValidation", options::bypassDocumentValidation);
    arguments.ifValue("comment", options::comment);
    arguments.ifDocument("let", options::let);
    return OperationResult.of(
        WriteResults.of(
            call.session()
                .map(session -> collection.bulkWrite(session, models, options))
                .orElseGet(() -> collection.bulkWrite(models, options))));
  }

  /** Each request has one field: its kind, with its arguments as the value. */
  private static WriteModel<BsonDocument> model(BsonDocument request) {
    String kind = request.getFirstKey();
    Arguments arguments = new Arguments("bulkWrite." + kind, request.getDocument(kind));
    WriteModel<BsonDocument> model =
        switch (kind) {
          case "insertOne" -> new InsertOneModel<>(arguments.document("document").clone());
          case "updateOne" -> updateOne(arguments);
          case "updateMany" -> updateMany(arguments);
          case "replaceOne" ->
              new ReplaceOneModel<>(
                  arguments.document("filter"),
                  arguments.document("replacement"),
                  UpdateOperations.replaceOptions(arguments));
          case "deleteOne" ->
              new DeleteOneModel<>(
                  arguments.document("filter"), DeleteOperations.options(arguments));
          case "deleteMany" ->
              new DeleteManyModel<>(
                  arguments.document("filter"), DeleteOperations.options(arguments));
          default -> throw new IllegalArgumentException("bulk write request " + kind);
        };
    arguments.requireAllRead();
    return model;
  }

  private static WriteModel<BsonDocument> updateOne(Arguments arguments) {
    BsonDocument filter = arguments.document("filter");
    var options = UpdateOperations.updateOptions(arguments);
    return arguments.isArray("update")
        ? new UpdateOneModel<>(filter, arguments.documents("update"), options)
        : new UpdateOneModel<>(filter, arguments.document("update"), options);
  }

  private static WriteModel<BsonDocument> updateMany(Arguments arguments) {
    BsonDocument filter = arguments.document("filter");
    var options = UpdateOperations.updateOptions(arguments);
    return arguments.isArray("update")
        ? new UpdateManyModel<>(filter, arguments.documents("update"), options)
        : new UpdateManyModel<>(filter, arguments.document("update"), options);
  }
}
