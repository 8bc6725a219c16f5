package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoNamespace;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Indexes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rule H16: what changes the definition of a collection and its migrations exclude each other. */
class MigrationsAndChangesTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final int DOCUMENTS = 30;

  private static MongoCollection<Document> sharded(String database) {
    CLUSTER.create(database, 0);
    CLUSTER.admin("{shardCollection: '%s.c', key: {k: 1}}".formatted(database));
    MongoCollection<Document> collection = CLUSTER.collection(database + ".c");
    collection.createIndex(Indexes.ascending("old"));
    collection.insertMany(
        IntStream.range(0, DOCUMENTS)
            .mapToObj(i -> new Document("_id", i).append("k", i))
            .toList());
    return collection;
  }

  private static CompletableFuture<Void> started(Runnable action) {
    return CompletableFuture.runAsync(action, run -> Thread.ofVirtual().start(run));
  }

  private static void move(String database) {
    CLUSTER.admin(
        "{moveRange: '%s.c', min: {k: 10}, max: {k: 20}, toShard: 'shard1'}".formatted(database));
  }

  /** Begins a change in the middle of a migration; it waits for its end. */
  private static void changeDuringAMigration(String database, Runnable change) throws Exception {
    Runnable goOn = CLUSTER.hold("moveRange.clone.after");
    CompletableFuture<Void> moved = started(() -> move(database));
    CLUSTER.awaitPhase("moveRange", "clone");
    CompletableFuture<Void> changed = started(change);
    CLUSTER.await(
        "the change waits",
        () ->
            CLUSTER
                    .config(
                        "{currentOp: 1, desc: {$regex: 'Coordinator', $ne:"
                            + " 'moveRangeCoordinator'}, waitingForLock: true}")
                    .getList("inprog", Document.class)
                    .size()
                == 1);
    // It is stored when it has its locks.
    assertThat(CLUSTER.metadata("system.sharding_ddl_coordinators").countDocuments()).isOne();
    assertThat(changed).isNotDone();
    goOn.run();
    moved.get(60, TimeUnit.SECONDS);
    changed.get(60, TimeUnit.SECONDS);
  }

  private static List<String> indexes(int shard, String database) {
    return CLUSTER
        .onShard(shard, database)
        .getCollection("c")
        .listIndexes()
        .map(each -> each.getString("name"))
        .into(new ArrayList<>());
  }

  private static void assertConsistent(String database) {
    BsonDocument found = CLUSTER.run(database, "{checkMetadataConsistency: 1, checkIndexes: true}");
    assertThat(found.getDocument("cursor").getArray("firstBatch")).isEmpty();
  }

  @Test
  void indexesAndOptionsAreThoseOfTheDonor() throws Exception {
    MongoCollection<Document> collection = sharded("changed");
    changeDuringAMigration("changed", () -> collection.createIndex(Indexes.ascending("new")));
    back("changed");
    changeDuringAMigration("changed", () -> collection.dropIndex("old_1"));
    back("changed");
    changeDuringAMigration(
        "changed", () -> CLUSTER.run("changed", "{collMod: 'c', validator: {k: {$type: 'int'}}}"));
    for (int shard = 0; shard < 2; shard++) {
      assertThat(indexes(shard, "changed")).contains("new_1").doesNotContain("old_1");
      assertThat(CLUSTER.onShard(shard, "changed").listCollections().first().get("options"))
          .asString()
          .contains("validator");
    }
    assertThat(collection.countDocuments()).isEqualTo(DOCUMENTS);
    assertConsistent("changed");
  }

  private static void back(String database) {
    CLUSTER.admin(
        "{moveRange: '%s.c', min: {k: 10}, max: {k: 20}, toShard: 'shard0'}".formatted(database));
  }

  private static Document options(int shard, String database) {
    return CLUSTER
        .onShard(shard, database)
        .listCollections()
        .first()
        .get("options", Document.class);
  }

  @Test
  void aShardWithoutChunksFollows() {
    sharded("follow");
    move("follow");
    back("follow");
    CLUSTER.run("follow", "{collMod: 'c', validationLevel: 'moderate'}");
    assertThat(options(1, "follow")).containsEntry("validationLevel", "moderate");
    assertConsistent("follow");
  }

  /** As one that was away. */
  @Test
  void aShardThatHasNotFollowedGetsTheOptionsWithItsNextChunk() {
    sharded("missed");
    move("missed");
    back("missed");
    CLUSTER.run(
        "missed",
        "{collMod: 'c', validator: {k: {$gte: 0}}, changeStreamPreAndPostImages: {enabled: true}}");
    CLUSTER
        .onShard(1, "missed")
        .runCommand(
            Document.parse(
                "{collMod: 'c', validator: {k: {$gte: 5}}, validationLevel: 'off',"
                    + " changeStreamPreAndPostImages: {enabled: false}}"));
    move("missed");
    assertThat(options(1, "missed")).isEqualTo(options(0, "missed"));
    assertThat(options(1, "missed")).containsKey("changeStreamPreAndPostImages");
    assertConsistent("missed");
  }

  @Test
  void nothingIsLeftOfACollectionThatIsDropped() throws Exception {
    MongoCollection<Document> collection = sharded("dropped");
    changeDuringAMigration("dropped", collection::drop);
    for (int shard = 0; shard < 2; shard++) {
      assertThat(CLUSTER.onShard(shard, "dropped").listCollectionNames()).isEmpty();
      for (String name : List.of("migrationCoordinators", "migrationRecipients")) {
        assertThat(CLUSTER.onShard(shard, "config").getCollection(name).countDocuments()).isZero();
      }
    }
    assertThat(collection.countDocuments()).isZero();
  }

  /** A shard that owns nothing of a collection deletes what it has left under the new name. */
  @Test
  void orphansOfARenamedCollectionAreDeleted() {
    MongoCollection<Document> collection = sharded("renamed");
    move("renamed");
    back("renamed");
    collection.renameCollection(new MongoNamespace("renamed.d"));
    MongoDatabase config = CLUSTER.onShard(1, "config");
    MongoDatabase admin = CLUSTER.onShard(1, "admin");
    assertThat(config.getCollection("rangeDeletions").countDocuments()).isPositive();
    admin.runCommand(Document.parse("{setParameter: 1, orphanCleanupDelaySecs: 0}"));
    try {
      CLUSTER.await(
          "the end of the deletion",
          () -> config.getCollection("rangeDeletions").countDocuments() == 0);
    } finally {
      admin.runCommand(Document.parse("{setParameter: 1, orphanCleanupDelaySecs: 900}"));
    }
    assertThat(CLUSTER.collection("renamed.d").countDocuments()).isEqualTo(DOCUMENTS);
    assertConsistent("renamed");
  }

  /** What a shard does not own yet, as it is just receiving it, is no orphan. */
  @Test
  void whatIsJustComingIsNotDeleted() throws Exception {
    MongoCollection<Document> collection = sharded("recreated");
    String recreate = "{recreateRangeDeletionTasks: 'recreated.c'}";
    move("recreated");
    back("recreated");
    changeDuringAMigration("recreated", () -> CLUSTER.admin(recreate));
    awaitDeletions();
    MongoCollection<Document> there = CLUSTER.onShard(1, "recreated").getCollection("c");
    assertThat(there.countDocuments()).isEqualTo(10);
    there.insertOne(new Document("_id", "past").append("k", 25));
    assertThat(collection.countDocuments()).isEqualTo(DOCUMENTS);
    CLUSTER.admin("{recreateRangeDeletionTasks: 'recreated.c', skipEmptyRanges: true}");
    awaitDeletions();
    assertThat(there.countDocuments()).isEqualTo(10);
    assertThat(collection.countDocuments()).isEqualTo(DOCUMENTS);
    assertConsistent("recreated");
    assertThat(CLUSTER.fail("admin", "{recreateRangeDeletionTasks: 'recreated.d'}"))
        .containsEntry("codeName", new BsonString("NamespaceNotSharded"));
  }

  private static void awaitDeletions() {
    MongoCollection<Document> tasks = CLUSTER.onShard(1, "config").getCollection("rangeDeletions");
    CLUSTER.await(
        "the end of deletions",
        () -> tasks.countDocuments(new Document("nss", "recreated.c")) == 0);
  }

  /** One migration begins after the other, and yet every change of the collection ends. */
  @Test
  @Tag("faults")
  void changesEndWhileRangesMoveAllTheTime() throws Exception {
    CLUSTER.create("busy", 0);
    CLUSTER.admin("{shardCollection: 'busy.c', key: {k: 1}}");
    var moved = new AtomicInteger();
    try (MongoClient client = MongoClients.create(CLUSTER.cluster().uri());
        var load = new MigrationLoad(client, client, "busy.c", ReadPreference.primary())) {
      load.insertFixed();
      load.start(1);
      for (int mover = 0; mover < 2; mover++) {
        load.task(() -> moveAny(moved));
      }
      MongoCollection<Document> collection = CLUSTER.collection("busy.c");
      for (int i = 0; i < 5; i++) {
        int before = moved.get();
        CLUSTER.await("moves", () -> moved.get() > before + 3 || load.hasDone(Integer.MAX_VALUE));
        collection.createIndex(Indexes.ascending("x" + i));
        if (i > 0) {
          collection.dropIndex("x" + (i - 1) + "_1");
        }
      }
      load.finish();
    }
    for (int shard = 0; shard < 2; shard++) {
      assertThat(indexes(shard, "busy")).containsExactlyInAnyOrder("_id_", "k_1", "x4_1");
    }
    assertConsistent("busy");
  }

  private static void moveAny(AtomicInteger moved) {
    int number = moved.get();
    String range = "min: {k: %d}, max: {k: %d}".formatted(number % 4 * 100, number % 4 * 100 + 100);
    try {
      CLUSTER.admin(
          "{moveRange: 'busy.c', %s, toShard: 'shard%d'}".formatted(range, number / 4 % 2));
      moved.incrementAndGet();
    } catch (MongoCommandException e) {
      assertThat(e.getErrorCode()).as(e.getMessage()).isEqualTo(117);
    }
  }
}
