package dev.wisent.bench.store;

import com.mongodb.WriteConcern;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.InsertManyOptions;
import dev.wisent.bench.data.BenchDocument;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** A client on the shared driver pool; documents pass through it undecoded. */
final class MongoSession implements Session {
  private final MongoDatabase database;
  private final Map<String, MongoCollection<RawBsonDocument>> collections = new HashMap<>();

  MongoSession(MongoDatabase database, Durability durability) {
    this.database =
        database.withWriteConcern(WriteConcern.W1.withJournal(durability == Durability.JOURNALED));
  }

  private MongoCollection<RawBsonDocument> collection(String name) {
    return collections.computeIfAbsent(name, n -> database.getCollection(n, RawBsonDocument.class));
  }

  @Override
  public void insert(String collection, BenchDocument document) {
    collection(collection).insertOne(document.bson());
  }

  @Override
  public void insertMany(String collection, List<BenchDocument> documents) {
    List<RawBsonDocument> encoded = new ArrayList<>(documents.size());
    documents.forEach(document -> encoded.add(document.bson()));
    collection(collection).insertMany(encoded, new InsertManyOptions().ordered(true));
  }

  @Override
  public boolean read(String collection, String id) {
    return collection(collection).find(byId(id)).first() != null;
  }

  @Override
  public boolean increment(String collection, String id, String field) {
    BsonDocument update = new BsonDocument("$inc", new BsonDocument(field, new BsonInt32(1)));
    return collection(collection).updateOne(byId(id), update).getMatchedCount() == 1;
  }

  @Override
  public boolean setField(String collection, String id, String field, String value) {
    BsonDocument update = new BsonDocument("$set", new BsonDocument(field, new BsonString(value)));
    return collection(collection).updateOne(byId(id), update).getMatchedCount() == 1;
  }

  @Override
  public int range(String collection, String field, long from, long to) {
    BsonDocument bounds =
        new BsonDocument("$gte", new BsonInt64(from)).append("$lt", new BsonInt64(to));
    return drain(collection(collection).find(new BsonDocument(field, bounds)));
  }

  @Override
  public int sortedRange(String collection, String field, long from, int limit) {
    return sorted(collection, field, new BsonInt64(from), limit);
  }

  @Override
  public int scanFrom(String collection, String fromId, int limit) {
    return sorted(collection, "_id", new BsonString(fromId), limit);
  }

  private int sorted(String collection, String field, BsonValue from, int limit) {
    return drain(
        collection(collection)
            .find(new BsonDocument(field, new BsonDocument("$gte", from)))
            .sort(new BsonDocument(field, new BsonInt32(1)))
            .limit(limit));
  }

  @Override
  public long count(String collection, String field, long value) {
    // The driver's countDocuments() is an aggregation; the count command is the plain question.
    BsonDocument command =
        new BsonDocument("count", new BsonString(collection))
            .append("query", new BsonDocument(field, new BsonInt64(value)));
    return database.runCommand(command, BsonDocument.class).getNumber("n").longValue();
  }

  @Override
  public int fruitlessScan(String collection) {
    return drain(
        collection(collection).find(new BsonDocument("absent", new BsonString("nowhere"))));
  }

  @Override
  public void close() {}

  private static BsonDocument byId(String id) {
    return new BsonDocument("_id", new BsonString(id));
  }

  private static int drain(FindIterable<RawBsonDocument> documents) {
    int count = 0;
    try (MongoCursor<RawBsonDocument> cursor = documents.cursor()) {
      while (cursor.hasNext()) {
        cursor.next();
        count++;
      }
    }
    return count;
  }
}
