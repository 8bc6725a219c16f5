package dev.wisent.conformance.unified;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** What a collection holds before ({@code initialData}) or after ({@code outcome}) a case. */
record CollectionData(
    String database, String collection, BsonDocument createOptions, List<BsonDocument> documents) {

  static CollectionData parse(BsonValue value) {
    BsonDocument description = value.asDocument();
    return new CollectionData(
        description.getString("databaseName").getValue(),
        description.getString("collectionName").getValue(),
        description.getDocument("createOptions", new BsonDocument()),
        description.getArray("documents").stream().map(BsonValue::asDocument).toList());
  }

  /** Makes the collection hold exactly this; without documents it exists and is empty. */
  void load(MongoClient client) {
    MongoDatabase db = client.getDatabase(database).withWriteConcern(WriteConcern.MAJORITY);
    MongoCollection<BsonDocument> target = db.getCollection(collection, BsonDocument.class);
    target.drop();
    if (documents.isEmpty() || !createOptions.isEmpty()) {
      BsonDocument create = new BsonDocument("create", new BsonString(collection));
      create.putAll(createOptions);
      db.runCommand(create);
    }
    if (!documents.isEmpty()) {
      target.insertMany(documents.stream().map(BsonDocument::clone).toList());
    }
  }

  /** Fails unless the collection holds exactly this: same types, same order of fields. */
  void check(MongoClient client) {
    List<BsonDocument> actual =
        client
            .getDatabase(database)
            .getCollection(collection, BsonDocument.class)
            .withReadConcern(ReadConcern.LOCAL)
            .withReadPreference(ReadPreference.primary())
            .find()
            .sort(new BsonDocument("_id", new BsonInt32(1)))
            .into(new ArrayList<>());
    // Compared as text because the equality of documents ignores the order of their fields.
    List<String> expectedText = documents.stream().map(BsonDocument::toJson).toList();
    List<String> actualText = actual.stream().map(BsonDocument::toJson).toList();
    if (!expectedText.equals(actualText)) {
      throw new AssertionError(
          "outcome of "
              + database
              + "."
              + collection
              + ": expected "
              + expectedText
              + " but was "
              + actualText);
    }
  }
}
