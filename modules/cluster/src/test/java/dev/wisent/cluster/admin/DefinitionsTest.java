package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoNamespace;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.RenameCollectionOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Changes of sharded collections that all their shards have to make. */
class DefinitionsTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  @AfterEach
  void nothingIsHalfDone() {
    assertThat(CLUSTER.metadata("system.sharding_ddl_coordinators").countDocuments()).isZero();
  }

  private static void assertFails(String database, String command, int code, String message) {
    BsonDocument reply = CLUSTER.fail(database, command);
    assertThat(reply.getString("errmsg").getValue()).contains(message);
    assertThat(reply.getInt32("code").getValue()).isEqualTo(code);
  }

  private static List<String> indexes(MongoDatabase database, String collection) {
    return database
        .getCollection(collection)
        .listIndexes()
        .map(index -> index.getString("name"))
        .into(new ArrayList<>());
  }

  private static void assertIndexes(String database, String collection, String... names) {
    for (int shard = 0; shard < 2; shard++) {
      assertThat(indexes(CLUSTER.onShard(shard, database), collection))
          .containsExactlyInAnyOrder(names);
    }
  }

  @Test
  void aCollectionIsDroppedByItsUuid() {
    CLUSTER.create("uuids", 0);
    CLUSTER.shardByK("uuids.a");
    CLUSTER.shardByK("uuids.b");
    String a = uuid("uuids.a");
    String drop = "{drop: '%s', collectionUUID: {$uuid: '%s'}}";
    BsonDocument refused = CLUSTER.fail("uuids", drop.formatted("b", a));
    assertThat(refused.getInt32("code").getValue()).isEqualTo(361);
    assertThat(refused.getString("expectedCollection").getValue()).isEqualTo("b");
    assertThat(refused.getString("actualCollection").getValue()).isEqualTo("a");
    assertThat(refused.getString("db").getValue()).isEqualTo("uuids");
    assertThat(uuid("uuids.b")).isNotEqualTo(a);
    CLUSTER.run("uuids", drop.formatted("a", a));
    assertThat(CLUSTER.metadata("collections").find(Filters.eq("uuids.a")).first()).isNull();
    CLUSTER.collection("uuids.a").insertOne(new Document("_id", 1));
    assertFails("uuids", drop.formatted("a", a), 361, "Collection UUID does not match");
    assertThat(CLUSTER.collection("uuids.a").countDocuments()).isEqualTo(1);
  }

  private static String uuid(String namespace) {
    return CLUSTER
        .metadata("collections")
        .find(Filters.eq(namespace))
        .first()
        .getBinary("uuid")
        .asUuid()
        .toString();
  }

  @Test
  void aShardedCollectionIsRenamedWithItsDocuments() {
    CLUSTER.create("names", 0);
    CLUSTER.shardByK("names.a");
    MongoDatabase names = CLUSTER.database("names");
    MongoCollection<Document> a = names.getCollection("a");
    a.insertMany(AdminCluster.documents(60));
    a.createIndex(new Document("x", 1));
    CLUSTER.shardByK("names.target");
    names.getCollection("target").insertMany(AdminCluster.documents(10));
    long chunks = CLUSTER.metadata("chunks").countDocuments();
    assertFails(
        "admin",
        "{renameCollection: 'names.a', to: 'names.target'}",
        48,
        "target namespace exists");
    assertFails("admin", "{renameCollection: 'names.a', to: 'other.a'}", 125, "same database");
    assertFails("admin", "{renameCollection: 'names.a', to: 'names.a'}", 20, "to itself");

    a.renameCollection(
        new MongoNamespace("names", "target"), new RenameCollectionOptions().dropTarget(true));

    MongoCollection<Document> target = names.getCollection("target");
    assertThat(target.countDocuments()).isEqualTo(60);
    assertThat(target.countDocuments(Filters.lt("k", 0))).isEqualTo(30);
    assertThat(a.countDocuments()).isZero();
    target.insertOne(new Document("_id", "new").append("k", 100));
    assertIndexes("names", "target", "_id_", "k_1", "x_1");
    assertThat(CLUSTER.metadata("collections").find(Filters.eq("names.a")).first()).isNull();
    assertThat(CLUSTER.metadata("chunks").countDocuments()).isEqualTo(chunks - 2);
    assertThat(CLUSTER.metadata("tags").countDocuments(Filters.eq("ns", "names.a"))).isZero();
    assertThat(CLUSTER.metadata("tags").countDocuments(Filters.eq("ns", "names.target")))
        .isEqualTo(2);
    for (int shard = 0; shard < 2; shard++) {
      assertThat(CLUSTER.onShard(shard, "names").listCollectionNames()).containsExactly("target");
    }
    a.insertOne(new Document("_id", "unsharded"));
    assertThat(a.countDocuments()).isEqualTo(1);
    a.renameCollection(
        new MongoNamespace("names", "target"), new RenameCollectionOptions().dropTarget(true));
    assertThat(target.find().map(found -> found.get("_id"))).containsExactly("unsharded");
    assertThat(CLUSTER.onShard(1, "names").listCollectionNames()).isEmpty();
  }

  /** Neither name is read in part while some shards have renamed it and others have not. */
  @Test
  void readersAndWritersWaitForARename() {
    CLUSTER.create("waits", 0);
    CLUSTER.shardByK("waits.a");
    MongoDatabase waits = CLUSTER.database("waits");
    waits.getCollection("a").insertMany(AdminCluster.documents(20));
    Runnable release = CLUSTER.hold("renameCollection.renameOnShards.after");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletableFuture<?> rename =
          CompletableFuture.runAsync(
              () -> CLUSTER.admin("{renameCollection: 'waits.a', to: 'waits.b'}"), threads);
      CLUSTER.await(
          "the name on the shards",
          () ->
              CLUSTER
                  .onShard(0, "waits")
                  .listCollectionNames()
                  .into(new ArrayList<>())
                  .contains("b"));
      CompletableFuture<Long> before =
          CompletableFuture.supplyAsync(() -> waits.getCollection("a").countDocuments(), threads);
      CompletableFuture<Long> after =
          CompletableFuture.supplyAsync(() -> waits.getCollection("b").countDocuments(), threads);
      CompletableFuture<?> write =
          CompletableFuture.runAsync(
              () -> waits.getCollection("b").insertOne(new Document("k", 1)), threads);
      assertThat(before).isNotDone();
      release.run();
      rename.join();
      write.join();
      assertThat(before.join()).isZero();
      assertThat(after.join()).isBetween(20L, 21L);
    }
    assertThat(waits.getCollection("b").countDocuments()).isEqualTo(21);
  }

  @Test
  void aShardKeyGetsMoreFields() {
    CLUSTER.create("finer", 0);
    CLUSTER.shardByK("finer.c");
    MongoCollection<Document> c = CLUSTER.collection("finer.c");
    c.insertMany(AdminCluster.documents(40));
    String refine = "{refineCollectionShardKey: 'finer.%s', key: {%s}}";
    assertFails("admin", refine.formatted("none", "k: 1"), 118, "unsharded collection");
    assertFails("admin", refine.formatted("c", "x: 1"), 72, "does not extend the current");
    assertFails("admin", refine.formatted("c", "k: 1, x: 1"), 72, "Please create an index");
    c.insertOne(new Document("_id", "still").append("k", 5));
    c.createIndex(new Document("k", 1).append("x", 1));
    CLUSTER.admin(refine.formatted("c", "k: 1, x: 1"));
    CLUSTER.admin(refine.formatted("c", "k: 1, x: 1"));
    BsonDocument collection = CLUSTER.metadata("collections").find(Filters.eq("finer.c")).first();
    assertThat(collection.getDocument("key")).isEqualTo(BsonDocument.parse("{k: 1, x: 1}"));
    List<BsonDocument> bounds = new ArrayList<>();
    for (BsonDocument chunk :
        CLUSTER.metadata("chunks").find(Filters.eq("uuid", collection.get("uuid")))) {
      bounds.add(chunk.getDocument("min"));
      bounds.add(chunk.getDocument("max"));
    }
    assertThat(bounds)
        .containsExactlyInAnyOrder(
            BsonDocument.parse("{k: {$minKey: 1}, x: {$minKey: 1}}"),
            BsonDocument.parse("{k: 0, x: {$minKey: 1}}"),
            BsonDocument.parse("{k: 0, x: {$minKey: 1}}"),
            BsonDocument.parse("{k: {$maxKey: 1}, x: {$maxKey: 1}}"));
    c.insertOne(new Document("_id", "low").append("k", -1).append("x", 3));
    c.insertOne(new Document("_id", "high").append("k", 1).append("x", 3));
    assertThat(c.countDocuments()).isEqualTo(43);
    assertThat(c.countDocuments(Filters.and(Filters.eq("k", 1), Filters.eq("x", 3)))).isEqualTo(1);
    assertThat(CLUSTER.onShard(0, "finer").getCollection("c").countDocuments()).isEqualTo(21);
  }

  @Test
  void allIndexesButTheNeededOnesAreDropped() {
    CLUSTER.create("dropped", 0);
    CLUSTER.shardByK("dropped.c");
    MongoCollection<Document> c = CLUSTER.collection("dropped.c");
    c.createIndex(new Document("x", 1));
    c.createIndex(new Document("k", 1).append("y", 1));
    assertFails("dropped", "{dropIndexes: 'c', index: 'none'}", 27, "index not found");
    assertFails("dropped", "{dropIndexes: 'c', index: ['x_1', 'none']}", 27, "index not found");
    assertFails("dropped", "{dropIndexes: 'c', index: '_id_'}", 72, "_id");
    assertIndexes("dropped", "c", "_id_", "k_1", "x_1", "k_1_y_1");
    CLUSTER.run("dropped", "{dropIndexes: 'c', index: 'k_1'}");
    assertFails("dropped", "{dropIndexes: 'c', index: 'k_1_y_1'}", 370, "only compatible index");
    BsonDocument reply = CLUSTER.run("dropped", "{dropIndexes: 'c', index: '*'}");
    assertThat(reply.getDocument("raw").getDocument("shard0"))
        .isEqualTo(
            BsonDocument.parse(
                "{nIndexesWas: 3, msg: 'non-_id indexes and non-shard key indexes dropped for"
                    + " collection', ok: 1}"));
    assertIndexes("dropped", "c", "_id_", "k_1_y_1");
    CLUSTER.run("dropped", "{dropIndexes: 'c', index: '*'}");
    assertIndexes("dropped", "c", "_id_", "k_1_y_1");
  }

  /** Two equal keys are on one shard, and that shard refuses what the other has done. */
  @Test
  void anIndexThatOneShardRefusesIsOnNone() {
    CLUSTER.create("whole", 0);
    CLUSTER.shardByK("whole.c");
    MongoCollection<Document> c = CLUSTER.collection("whole.c");
    c.insertOne(new Document("k", -1).append("e", 1));
    c.insertOne(new Document("k", 1).append("e", 1));
    c.insertOne(new Document("k", 1).append("e", 1));
    c.createIndex(new Document("there", 1));
    assertFails(
        "whole",
        "{createIndexes: 'c', indexes: [{key: {there: 1}, name: 'there_1'},"
            + " {key: {k: 1, e: 1}, name: 'unique', unique: true}]}",
        11000,
        "dup key");
    assertIndexes("whole", "c", "_id_", "k_1", "there_1");
    c.createIndex(new Document("k", 1).append("e", 1), new IndexOptions().name("later"));
    CLUSTER.run("whole", "{collMod: 'c', index: {name: 'later', prepareUnique: true}}");
    assertThat(
            CLUSTER
                .fail("whole", "{collMod: 'c', index: {name: 'later', unique: true}}")
                .getInt32("code")
                .getValue())
        .isEqualTo(359);
    for (int shard = 0; shard < 2; shard++) {
      for (Document index : CLUSTER.onShard(shard, "whole").getCollection("c").listIndexes()) {
        assertThat(index).doesNotContainKey("unique");
      }
    }
    c.deleteOne(Filters.eq("k", 1));
    CLUSTER.run("whole", "{collMod: 'c', index: {name: 'later', unique: true}}");
    for (int shard = 0; shard < 2; shard++) {
      assertThat(CLUSTER.onShard(shard, "whole").getCollection("c").listIndexes())
          .anyMatch(index -> Boolean.TRUE.equals(index.getBoolean("unique")));
    }
  }
}
