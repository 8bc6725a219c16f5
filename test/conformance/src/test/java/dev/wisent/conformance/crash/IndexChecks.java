package dev.wisent.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Projections;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.bson.Document;

/**
 * Every index agrees with its collection: the server's own {@code validate} says so, and so does
 * reading the collection through the index.
 */
record IndexChecks(MongoDatabase database) {

  void run() {
    for (String name : database.listCollectionNames()) {
      if (!name.startsWith("system.")) {
        validate(name);
        readThroughIndexes(database.getCollection(name, BsonDocument.class));
      }
    }
  }

  private void validate(String collection) {
    Document report =
        database.runCommand(new Document("validate", collection).append("full", true));
    assertThat(report.getBoolean("valid")).as("validate: %s", report.toJson()).isTrue();
    assertThat(report.getList("errors", Object.class)).as("validate: %s", report).isEmpty();
    long count = database.getCollection(collection).estimatedDocumentCount();
    assertThat(report.get("nrecords", Number.class).longValue())
        .as("records of %s against its count", collection)
        .isEqualTo(count);
  }

  private static void readThroughIndexes(MongoCollection<BsonDocument> collection) {
    BsonDocument natural = new BsonDocument("$natural", new BsonInt32(1));
    List<BsonValue> expected = ids(collection, natural);
    assertThat((long) expected.size())
        .as("documents of %s against its count", collection.getNamespace())
        .isEqualTo(collection.estimatedDocumentCount());
    for (BsonDocument index : collection.listIndexes(BsonDocument.class)) {
      assertThat(ids(collection, index.getDocument("key")))
          .as("documents of %s through %s", collection.getNamespace(), index.getString("name"))
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private static List<BsonValue> ids(MongoCollection<BsonDocument> collection, BsonDocument hint) {
    return collection
        .find()
        .hint(hint)
        .projection(Projections.include("_id"))
        .map(document -> document.get("_id"))
        .into(new ArrayList<>());
  }
}
