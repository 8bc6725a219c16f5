package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Migrations that must not begin, or not go on: nothing of them is left. */
class RefusedMigrationsTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final int CONFLICTING = 117;

  private static MongoCollection<Document> sharded(String database) {
    CLUSTER.create(database, 0);
    CLUSTER.admin("{shardCollection: '%s.c', key: {k: 1}}".formatted(database));
    MongoCollection<Document> collection = CLUSTER.collection(database + ".c");
    collection.insertMany(
        IntStream.range(0, 30).mapToObj(i -> new Document("_id", i).append("k", i)).toList());
    return collection;
  }

  private static CompletableFuture<Void> move(String database, String shard) {
    return CompletableFuture.runAsync(
        () ->
            CLUSTER.admin(
                "{moveRange: '%s.c', min: {k: 10}, max: {k: 20}, toShard: '%s'}"
                    .formatted(database, shard)),
        run -> Thread.ofVirtual().start(run));
  }

  private static void allow(String database, boolean allowed) {
    CLUSTER.admin("{setAllowMigrations: '%s.c', allowMigrations: %s}".formatted(database, allowed));
  }

  private static MongoCommandException failure(CompletableFuture<Void> moved) {
    try {
      moved.join();
    } catch (CompletionException e) {
      return (MongoCommandException) e.getCause();
    }
    throw new AssertionError("the migration has succeeded");
  }

  private static void awaitEnd() {
    CLUSTER.await(
        "the end",
        () ->
            CLUSTER.metadata("system.sharding_ddl_coordinators").countDocuments() == 0
                && CLUSTER.metadata("migrations").countDocuments() == 0);
  }

  private static long onSecond(String database) {
    BsonDocument collection =
        CLUSTER.metadata("collections").find(Filters.eq(database + ".c")).first();
    return CLUSTER
        .metadata("chunks")
        .countDocuments(
            Filters.and(Filters.eq("uuid", collection.get("uuid")), Filters.eq("shard", "shard1")));
  }

  private static void forbiddenAt(String phase) {
    String database = "before" + phase;
    MongoCollection<Document> collection = sharded(database);
    Runnable goOn = CLUSTER.hold("moveRange." + phase + ".before");
    CompletableFuture<Void> moved = move(database, "shard1");
    CLUSTER.awaitPhase("moveRange", phase);
    allow(database, false);
    goOn.run();
    assertThat(failure(moved).getErrorCode()).isEqualTo(CONFLICTING);
    awaitEnd();
    assertThat(onSecond(database)).isZero();
    assertThat(collection.countDocuments()).isEqualTo(30);
    allow(database, true);
    move(database, "shard1").join();
    assertThat(collection.countDocuments()).isEqualTo(30);
  }

  @Test
  void migrationsThatAreForbiddenAreNotGranted() {
    forbiddenAt("grant");
  }

  @Test
  void migrationsThatAreForbiddenDuringTheCopyAreNotDecided() {
    forbiddenAt("reserve");
  }

  /** Its donor may decide at any time. */
  @Test
  void oneThatHasItsVersionIsWaitedFor() {
    MongoCollection<Document> collection = sharded("reserved");
    Runnable goOn = CLUSTER.hold("moveRange.flip.before");
    CompletableFuture<Void> moved = move("reserved", "shard1");
    CLUSTER.awaitPhase("moveRange", "flip");
    CompletableFuture<Void> forbidden =
        CompletableFuture.runAsync(
            () -> allow("reserved", false), run -> Thread.ofVirtual().start(run));
    CLUSTER.await(
        "the flag",
        () ->
            CLUSTER
                .metadata("collections")
                .find(Filters.eq("reserved.c"))
                .first()
                .containsKey("allowMigrations"));
    assertThat(forbidden).isNotDone();
    goOn.run();
    forbidden.join();
    assertThat(onSecond("reserved")).isOne();
    moved.join();
    assertThat(collection.countDocuments()).isEqualTo(30);
    assertThat(failure(move("reserved", "shard0")).getErrorCode()).isEqualTo(CONFLICTING);
  }

  @Test
  void theFlagOfCoordinatorsIsLookedAtToo() {
    sharded("permitted");
    CLUSTER
        .metadata("collections")
        .updateOne(Filters.eq("permitted.c"), Updates.set("permitMigrations", false));
    assertThat(failure(move("permitted", "shard1")).getErrorCode()).isEqualTo(CONFLICTING);
  }

  /** What another primary has done meanwhile is not in the copy. */
  @Test
  void aCopyOfAnEarlierTermIsNotDecided() {
    MongoCollection<Document> collection = sharded("term");
    Runnable goOn = CLUSTER.hold("moveRange.flip.before");
    CompletableFuture<Void> moved = move("term", "shard1");
    CLUSTER.awaitPhase("moveRange", "flip");
    CLUSTER.electShardAgain(0);
    goOn.run();
    assertThat(failure(moved)).hasMessageContaining("has changed during the migration");
    awaitEnd();
    assertThat(collection.countDocuments()).isEqualTo(30);
    move("term", "shard1").join();
    assertThat(collection.countDocuments()).isEqualTo(30);
  }

  /** A shard that is removed after the check, before the migration is stored. */
  @Test
  void aRecipientThatHasGoneEndsTheMigration() {
    sharded("ghost");
    BsonDocument ghost = BsonDocument.parse("{_id: 'ghost', host: 'ghost/127.0.0.1:1', state: 1}");
    CLUSTER.metadata("shards").insertOne(ghost);
    Runnable goOn = CLUSTER.hold("moveRange.grant.before");
    CompletableFuture<Void> moved = move("ghost", "ghost");
    CLUSTER.awaitPhase("moveRange", "grant");
    CLUSTER.metadata("shards").deleteOne(Filters.eq("ghost"));
    goOn.run();
    assertThat(failure(moved).getErrorCode()).isEqualTo(70);
    awaitEnd();
    move("ghost", "shard1").join();
  }

  @Test
  void optionsAreHonouredOrRefused() {
    sharded("options");
    String chunk = "{moveChunk: 'options.c', find: {k: 1}, to: 'shard1', %s}";
    assertThat(CLUSTER.fail("admin", chunk.formatted("maxChunkSizeBytes: 1")))
        .containsEntry("codeName", new BsonString("ChunkTooBig"));
    assertThat(code(chunk.formatted("_secondaryThrottle: 'no'"))).isEqualTo(14);
    assertThat(
            code(
                "{setAllowMigrations: 'options.c', allowMigrations: false,"
                    + " collectionUUID: {$uuid: '00000000-0000-0000-0000-000000000001'}}"))
        .isEqualTo(361);
    for (String field : new String[] {"splitKeys: [{k: 1}]", "fromChunkSplitter: true"}) {
      try {
        CLUSTER.config(
            "{_configsvrMergeChunks: 'options.c', bounds: [{k: 1}, {k: 2}], %s}".formatted(field));
        throw new AssertionError("should have failed with " + field);
      } catch (MongoCommandException e) {
        assertThat(e.getErrorCode()).as(e.getMessage()).isEqualTo(40415);
      }
    }
  }

  private static int code(String command) {
    return CLUSTER.fail("admin", command).getInt32("code").getValue();
  }
}
