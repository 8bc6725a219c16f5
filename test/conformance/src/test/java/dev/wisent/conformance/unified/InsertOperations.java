package dev.wisent.conformance.unified;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.InsertOneOptions;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;

/** {@code insertOne} and {@code insertMany}. */
final class InsertOperations {

  private InsertOperations() {}

  static void addTo(OperationTable<MongoCollection<BsonDocument>> table) {
    table.add("insertOne", InsertOperations::insertOne);
    table.add("insertMany", InsertOperations::insertMany);
  }

  private static OperationResult insertOne(MongoCollection<BsonDocument> collection, Call call) {
    // The driver adds a missing _id to the document, and the case may be looked at again.
    BsonDocument document = call.arguments().document("document").clone();
    InsertOneOptions options = new InsertOneOptions();
    call.arguments().ifBoolean("bypassDocumentValidation", options::bypassDocumentValidation);
    call.arguments().ifValue("comment", options::comment);
    return OperationResult.of(
        WriteResults.of(
            call.session()
                .map(session -> collection.insertOne(session, document, options))
                .orElseGet(() -> collection.insertOne(document, options))));
  }

  private static OperationResult insertMany(MongoCollection<BsonDocument> collection, Call call) {
    List<BsonDocument> documents = new ArrayList<>();
    call.arguments().documents("documents").forEach(d -> documents.add(d.clone()));
    InsertManyOptions options = new InsertManyOptions();
    call.arguments().ifBoolean("ordered", options::ordered);
    call.arguments().ifBoolean("bypassDocumentValidation", options::bypassDocumentValidation);
    call.arguments().ifValue("comment", options::comment);
    return OperationResult.of(
        WriteResults.of(
            call.session()
                .map(session -> collection.insertMany(session, documents, options))
                .orElseGet(() -> collection.insertMany(documents, options))));
  }
}
