package dev.wisent.conformance.crash;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import org.bson.BsonDocument;

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

  void create() {
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
