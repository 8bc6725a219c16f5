package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Databases get another primary shard, while they are read and written. */
class MovePrimaryTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static String name(Document entry) {
    return entry.getString("name");
  }

  @Test
  void everythingUnshardedGoesAlong() {
    CLUSTER.create("all", 0);
    MongoDatabase all = CLUSTER.database("all");
    all.getCollection("plain").insertMany(AdminCluster.documents(300));
    all.getCollection("plain")
        .createIndex(new Document("k", 1), new IndexOptions().unique(true).name("byK"));
    all.createCollection(
        "capped", new CreateCollectionOptions().capped(true).sizeInBytes(100_000).maxDocuments(9));
    for (int i = 5; i > 0; i--) {
      all.getCollection("capped").insertOne(new Document("_id", i));
    }
    all.runCommand(
        Document.parse("{create: 'checked', validator: {x: {$gt: 0}}, validationLevel: 'strict'}"));
    all.createView("view", "plain", List.of(Document.parse("{$match: {k: {$gte: 0}}}")));
    all.createCollection("empty");
    CLUSTER.shardByK("all.sharded");
    all.getCollection("sharded").insertMany(AdminCluster.documents(40));
    List<Document> before = entries(all);

    CLUSTER.admin("{movePrimary: 'all', to: 'shard1'}");

    assertThat(CLUSTER.primaryOf("all")).isEqualTo("shard1");
    assertThat(entries(all)).containsExactlyInAnyOrderElementsOf(before);
    assertThat(namesOnOldPrimary("all")).containsExactly("sharded");
    assertThat(all.getCollection("plain").countDocuments()).isEqualTo(300);
    assertThat(all.getCollection("plain").listIndexes().map(MovePrimaryTest::name))
        .containsExactlyInAnyOrder("_id_", "byK");
    assertThat(all.getCollection("capped").find().map(found -> found.getInteger("_id")))
        .containsExactly(5, 4, 3, 2, 1);
    assertThat(all.getCollection("view").countDocuments()).isEqualTo(150);
    assertThat(all.getCollection("sharded").countDocuments()).isEqualTo(40);
    BsonDocument database = CLUSTER.metadata("databases").find(Filters.eq("all")).first();
    assertThat(database.getDocument("version").getInt32("lastMod").getValue()).isEqualTo(2);
    CLUSTER.admin("{movePrimary: 'all', to: 'shard1'}");
    CLUSTER.admin("{movePrimary: 'all', to: 'shard0'}");
    assertThat(entries(all)).containsExactlyInAnyOrderElementsOf(before);
    assertThat(CLUSTER.metadata("system.sharding_ddl_coordinators").countDocuments()).isZero();
  }

  /** With their options, UUIDs and indexes on {@code _id}. */
  private static List<Document> entries(MongoDatabase database) {
    return database
        .listCollections()
        .filter(Filters.ne("name", "system.views"))
        .into(new ArrayList<>());
  }

  private static List<String> namesOnOldPrimary(String database) {
    return entries(CLUSTER.onShard(0, database)).stream().map(MovePrimaryTest::name).toList();
  }

  @Test
  void writersWaitAndReadersDoNot() {
    CLUSTER.create("busy", 0);
    MongoDatabase busy = CLUSTER.database("busy");
    busy.getCollection("c").insertOne(new Document("_id", "first"));
    CLUSTER.shardByK("busy.sharded");
    Runnable release = CLUSTER.hold("movePrimary.clone.before");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletableFuture<?> move =
          CompletableFuture.runAsync(
              () -> CLUSTER.admin("{movePrimary: 'busy', to: 'shard1'}"), threads);
      CLUSTER.awaitPhase("movePrimary", "clone");
      List<CompletableFuture<?>> writes = new ArrayList<>();
      writes.add(run(threads, () -> busy.getCollection("c").insertOne(new Document("_id", 1))));
      writes.add(run(threads, () -> busy.getCollection("new").insertOne(new Document("_id", 1))));
      writes.add(run(threads, () -> busy.getCollection("c").createIndex(new Document("x", 1))));
      writes.add(
          run(
              threads,
              () ->
                  busy.getCollection("c")
                      .updateOne(Filters.eq("first"), new Document("$set", new Document("x", 1)))));
      busy.getCollection("sharded").insertMany(AdminCluster.documents(10));
      assertThat(busy.getCollection("c").countDocuments()).isEqualTo(1);
      assertThat(writes).noneMatch(CompletableFuture::isDone);
      release.run();
      move.join();
      writes.forEach(CompletableFuture::join);
    }
    assertThat(busy.getCollection("c").countDocuments()).isEqualTo(2);
    assertThat(busy.getCollection("c").countDocuments(Filters.eq("x", 1))).isEqualTo(1);
    assertThat(busy.getCollection("c").listIndexes()).hasSize(2);
    assertThat(busy.getCollection("new").countDocuments()).isEqualTo(1);
    assertThat(namesOnOldPrimary("busy")).containsExactly("sharded");
  }

  private static CompletableFuture<?> run(ExecutorService threads, Runnable work) {
    return CompletableFuture.runAsync(work, threads);
  }

  /** Batches are as whole as single writes: each is on one primary or on the other. */
  @Test
  void noBatchFailsOrIsLost() {
    CLUSTER.create("load", 0);
    var collection = CLUSTER.collection("load.c");
    var stop = new AtomicBoolean();
    int[] batches = {0};
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletableFuture<?> load =
          run(
              threads,
              () -> {
                for (; !stop.get(); batches[0]++) {
                  int batch = batches[0];
                  collection.insertMany(
                      IntStream.range(0, 50)
                          .mapToObj(i -> new Document("_id", batch * 50 + i))
                          .toList());
                }
              });
      for (int i = 0; i < 4; i++) {
        CLUSTER.admin("{movePrimary: 'load', to: 'shard%d'}".formatted((i + 1) % 2));
      }
      stop.set(true);
      load.join();
    }
    assertThat(collection.countDocuments()).isEqualTo(batches[0] * 50L);
  }

  /** A driver sends a write again whose reply was lost, also where its shard is another one now. */
  @Test
  void theNewPrimaryKnowsWhatSessionsHaveDone() {
    CLUSTER.create("sessions", 0);
    var sessions = CLUSTER.database("sessions");
    sessions.getCollection("c").insertOne(new Document("_id", 0).append("n", 0));
    var write =
        Document.parse("{update: 'c', updates: [{q: {_id: 0}, u: {$inc: {n: 1}}}]}")
            .append("txnNumber", 1L);
    var clients = new ArrayList<ClientSession>();
    try (MongoClient client = MongoClients.create(CLUSTER.cluster().uri())) {
      for (int i = 0; i < 1_100; i++) {
        clients.add(client.startSession());
        client.getDatabase("sessions").runCommand(clients.getLast(), write);
      }
      CLUSTER.admin("{movePrimary: 'sessions', to: 'shard1'}");
      for (ClientSession each : clients) {
        assertThat(client.getDatabase("sessions").runCommand(each, write).getInteger("nModified"))
            .isEqualTo(1);
      }
    }
    assertThat(sessions.getCollection("c").find().first()).containsEntry("n", 1_100);
  }

  @Test
  void aMoveThatFailsLeavesNothing() {
    CLUSTER.create("stays", 0);
    MongoDatabase stays = CLUSTER.database("stays");
    stays.getCollection("a").insertOne(new Document("_id", 1));
    stays.getCollection("b").insertOne(new Document("_id", 1));
    CLUSTER.onShard(1, "stays").getCollection("b").insertOne(new Document("_id", "own"));
    BsonDocument error = CLUSTER.fail("admin", "{movePrimary: 'stays', to: 'shard1'}");
    assertThat(error.getInt32("code").getValue()).isEqualTo(48);
    assertThat(CLUSTER.primaryOf("stays")).isEqualTo("shard0");
    stays.getCollection("a").insertOne(new Document("_id", 2));
    assertThat(stays.getCollection("b").countDocuments()).isEqualTo(1);
    assertThat(CLUSTER.onShard(1, "stays").listCollectionNames()).containsExactly("b");
    assertThat(CLUSTER.metadata("system.sharding_ddl_coordinators").countDocuments()).isZero();
  }

  @Test
  void wrongRequestsAreRefused() {
    CLUSTER.create("wrong", 0);
    assertFails("{movePrimary: 'wrong'}", 72, "you have to specify where you want to move it");
    assertFails("{movePrimary: 'wrong', to: 'none'}", 70, "shard none does not exist");
    assertFails("{movePrimary: 'config', to: 'shard0'}", 72, "Can't move primary for config");
    assertFails("{movePrimary: 'missing', to: 'shard0'}", 26, "database missing not found");
  }

  private static void assertFails(String command, int code, String message) {
    BsonDocument reply = CLUSTER.fail("admin", command);
    assertThat(reply.getString("errmsg").getValue()).contains(message);
    assertThat(reply.getInt32("code").getValue()).isEqualTo(code);
  }
}
