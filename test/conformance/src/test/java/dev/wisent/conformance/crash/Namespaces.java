package dev.wisent.conformance.crash;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/** The collections of the crash test, all with {@code j: true}. */
record Namespaces(MongoDatabase database) {

  static final int EVENTS_MAX = 400;

  static Namespaces of(MongoClient client) {
    return new Namespaces(client.getDatabase("crash").withWriteConcern(WriteConcern.JOURNALED));
  }

  /** Documents that one writer each owns; a compound, a multikey and a unique index. */
  MongoCollection<BsonDocument> items() {
    return database.getCollection("items", BsonDocument.class);
  }

  /** A few documents that all writers increment, with an index on the value. */
  MongoCollection<BsonDocument> counters() {
    return database.getCollection("counters", BsonDocument.class);
  }

  /** Numbers that writers race for; a unique index decides. */
  MongoCollection<BsonDocument> claims() {
    return database.getCollection("claims", BsonDocument.class);
  }

  /** A capped collection: every writer's own sequence, oldest dropped. */
  MongoCollection<BsonDocument> events() {
    return database.getCollection("events", BsonDocument.class);
  }

  /** What the report is made of; it does not change. */
  MongoCollection<BsonDocument> reportLines() {
    return database.getCollection("reportLines", BsonDocument.class);
  }

  /** What {@code $out} replaces, with an index that goes along. */
  MongoCollection<BsonDocument> report() {
    return database.getCollection("report", BsonDocument.class);
  }

  void create() {
    reportLines()
        .insertMany(
            IntStream.range(0, ReportTask.SIZE)
                .mapToObj(i -> new BsonDocument("_id", new BsonInt32(i)))
                .toList());
    report().createIndex(Indexes.ascending("version"));
    items().createIndex(Indexes.compoundIndex(Indexes.ascending("group"), Indexes.descending("n")));
    items().createIndex(Indexes.ascending("tags"));
    items().createIndex(Indexes.ascending("key"), new IndexOptions().unique(true));
    items().createIndex(Indexes.ascending("writer", "group"));
    counters().createIndex(Indexes.ascending("n"));
    claims().createIndex(Indexes.ascending("claim"), new IndexOptions().unique(true));
    database.createCollection(
        "events",
        new CreateCollectionOptions().capped(true).sizeInBytes(1 << 20).maxDocuments(EVENTS_MAX));
  }
}
