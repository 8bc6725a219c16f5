package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The chunks of a refined collection are completed in pages, here of three, after the collection
 * has its key. A mix of bounds means the same as either kind.
 */
class PagedRefinementTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final int CHUNKS = 20;
  private static final int DOCUMENTS = 40;
  private static int databases;

  private String namespace;

  /** Chunks of ten keys on both shards. */
  @BeforeEach
  void create() {
    CLUSTER.config(
        "{configureFailPoint: 'coordinatorPages', mode: 'alwaysOn', data: {documents: 3}}");
    String database = "refined" + databases++;
    namespace = database + ".c";
    CLUSTER.create(database, 0);
    CLUSTER.shardByK(namespace);
    for (int i = 1; i < CHUNKS - 1; i++) {
      CLUSTER.admin("{split: '%s', middle: {k: %d}}".formatted(namespace, i <= 9 ? i : i - 19));
    }
    CLUSTER.collection(namespace).insertMany(AdminCluster.documents(DOCUMENTS));
    CLUSTER.collection(namespace).createIndex(Indexes.ascending("k", "b"));
  }

  @AfterEach
  void usualPages() {
    CLUSTER.config("{configureFailPoint: 'coordinatorPages', mode: 'off'}");
    CLUSTER.config("{configureFailPoint: 'coordinatorPhase', mode: 'off'}");
  }

  private String refine() {
    return "{_configsvrRefineCollectionShardKey: '%s', key: {k: 1, b: 1}}".formatted(namespace);
  }

  private BsonDocument entry() {
    return CLUSTER.metadata("collections").find(Filters.eq(namespace)).first();
  }

  private List<BsonDocument> chunks() {
    return CLUSTER
        .metadata("chunks")
        .find(Filters.eq("uuid", entry().get("uuid")))
        .into(new ArrayList<>());
  }

  private long completed() {
    return chunks().stream().filter(chunk -> chunk.getDocument("min").containsKey("b")).count();
  }

  private void assertConsistent() {
    assertThat(
            CLUSTER
                .admin("{checkMetadataConsistency: 1}")
                .getDocument("cursor")
                .getArray("firstBatch"))
        .isEmpty();
  }

  /** By the table of the router, and by one that it reads anew. */
  private void assertUsable() {
    for (int i = 0; i < DOCUMENTS; i++) {
      int k = i - DOCUMENTS / 2;
      assertThat(CLUSTER.collection(namespace).find(Filters.eq("k", k)).first()).isNotNull();
    }
    CLUSTER.admin("{flushRouterConfig: '%s'}".formatted(namespace));
    assertThat(CLUSTER.collection(namespace).countDocuments()).isEqualTo(DOCUMENTS);
    Document added = new Document("_id", 1000).append("k", 3).append("b", 7);
    CLUSTER.collection(namespace).insertOne(added);
    assertThat(CLUSTER.collection(namespace).deleteOne(added).getDeletedCount()).isEqualTo(1);
    assertConsistent();
  }

  private void awaitEnd() {
    CLUSTER.await(
        "the end of the coordinator",
        () -> {
          try {
            return CLUSTER.metadata("system.sharding_ddl_coordinators").countDocuments() == 0;
          } catch (MongoException e) {
            return false;
          }
        });
  }

  private void assertComplete() {
    assertThat(completed()).isEqualTo(CHUNKS);
    assertThat(chunks())
        .allMatch(chunk -> chunk.getDocument("max").containsKey("b"))
        .hasSize(CHUNKS);
    assertThat(entry().containsKey("chunksOfOldKey")).isFalse();
    assertUsable();
  }

  /** Clients go on, and the bounds of some chunks lack the new field. */
  @Test
  void aMixOfBoundsIsUsable() {
    Runnable release = CLUSTER.hold("refineCollectionShardKey.completeChunks.page");
    CompletableFuture<Document> refined =
        CompletableFuture.supplyAsync(() -> CLUSTER.config(refine()));
    CLUSTER.await("a page", () -> completed() == 3);
    assertThat(entry().getDocument("key").toJson()).isEqualTo("{\"k\": 1, \"b\": 1}");
    assertUsable();
    assertThat(
            CLUSTER
                .fail("admin", "{split: '%s', middle: {k: 3, b: 3}}".formatted(namespace))
                .getString("errmsg")
                .getValue())
        .contains("is being refined");
    release.run();
    refined.join();
    assertComplete();
    CLUSTER.admin("{split: '%s', middle: {k: 3, b: 3}}".formatted(namespace));
    CLUSTER.admin("{moveRange: '%s', min: {k: 3, b: 3}, toShard: 'shard0'}".formatted(namespace));
    assertUsable();
  }

  /** The bounds of a request that waits for the refinement are those of the old key. */
  @Test
  void aMigrationThatHasWaitedIsNotOfTheOldKey() {
    Runnable release = CLUSTER.hold("refineCollectionShardKey.completeChunks.page");
    CompletableFuture<Document> refined =
        CompletableFuture.supplyAsync(() -> CLUSTER.config(refine()));
    CLUSTER.await("a page", () -> completed() == 3);
    BsonDocument chunk =
        chunks().stream()
            .filter(each -> !each.getDocument("max").containsKey("b"))
            .filter(each -> each.getDocument("min").isInt32("k"))
            .findAny()
            .orElseThrow();
    String to = chunk.getString("shard").getValue().equals("shard0") ? "shard1" : "shard0";
    CompletableFuture<BsonDocument> moved =
        CompletableFuture.supplyAsync(
            () ->
                CLUSTER.fail(
                    "admin",
                    "{moveRange: '%s', min: {k: %d, b: {$minKey: 1}}, toShard: '%s'}"
                        .formatted(
                            namespace, chunk.getDocument("min").getInt32("k").getValue(), to)));
    CLUSTER.await("the migration waits", PagedRefinementTest::aMigrationWaits);
    release.run();
    refined.join();
    assertThat(moved.join().getString("errmsg").getValue()).contains("shard key");
    assertComplete();
    assertConsistent();
  }

  private static boolean aMigrationWaits() {
    return CLUSTER
            .config("{currentOp: 1, desc: 'moveRangeCoordinator', waitingForLock: true}")
            .getList("inprog", Document.class)
            .size()
        == 1;
  }

  @Test
  void aRefinementGoesOnBetweenTwoPages() {
    CLUSTER.crashAt("refineCollectionShardKey.completeChunks.page");
    try {
      CLUSTER.config(refine());
    } catch (MongoException e) {
      assertThat(e).hasMessageContaining("crash at");
    }
    assertThat(completed()).isEqualTo(3);
    assertUsable();
    CLUSTER.electConfigAgain();
    awaitEnd();
    assertComplete();
  }
}
