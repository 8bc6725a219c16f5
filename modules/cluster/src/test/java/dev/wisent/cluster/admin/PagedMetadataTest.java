package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.model.Filters;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Changes of the metadata of collections with more chunks than a transaction takes: they go in
 * pages, here of three documents. The coordinator is killed between two pages.
 */
class PagedMetadataTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final String COORDINATORS = "system.sharding_ddl_coordinators";
  private static final int CHUNKS = 20;
  private static int databases;

  private String database;

  @BeforeEach
  void smallPages() {
    CLUSTER.config(
        "{configureFailPoint: 'coordinatorPages', mode: 'alwaysOn', data: {documents: 3}}");
    database = "paged" + databases++;
    CLUSTER.create(database, 0);
  }

  @AfterEach
  void usualPages() {
    CLUSTER.config("{configureFailPoint: 'coordinatorPages', mode: 'off'}");
    CLUSTER.config("{configureFailPoint: 'coordinatorPhase', mode: 'off'}");
  }

  /** A collection with chunks of ten keys each, in turn on the two shards. */
  private BsonBinary create(String collection) {
    String namespace = database + "." + collection;
    CLUSTER.admin("{shardCollection: '%s', key: {k: 1}}".formatted(namespace));
    for (int i = 1; i < CHUNKS; i++) {
      CLUSTER.admin("{split: '%s', middle: {k: %d}}".formatted(namespace, 10 * i));
    }
    CLUSTER.collection(namespace).insertMany(AdminCluster.documents(2 * CHUNKS));
    return CLUSTER.metadata("collections").find(Filters.eq(namespace)).first().getBinary("uuid");
  }

  private static long chunksOf(BsonBinary uuid) {
    return CLUSTER.metadata("chunks").countDocuments(Filters.eq("uuid", uuid));
  }

  private long named(String collection) {
    return CLUSTER.metadata("collections").countDocuments(Filters.eq(database + "." + collection));
  }

  /** Past the router, which would ask again. */
  private static void killed(String point, String command) {
    CLUSTER.crashAt(point);
    try {
      throw new AssertionError("should have been killed: " + CLUSTER.config(command));
    } catch (MongoException e) {
      assertThat(e).hasMessageContaining("crash at " + point);
    }
  }

  private static void awaitEnd() {
    CLUSTER.await(
        "the end of the coordinator",
        () -> {
          try {
            return CLUSTER.metadata(COORDINATORS).countDocuments() == 0;
          } catch (MongoException e) {
            return false;
          }
        });
  }

  private void assertConsistent() {
    assertThat(
            CLUSTER
                .admin("{checkMetadataConsistency: 1}")
                .getDocument("cursor")
                .getArray("firstBatch"))
        .isEmpty();
  }

  /** The collection is gone at once; its chunks go when nothing waits any longer. */
  @Test
  void aDropGoesOnBetweenTwoPages() {
    BsonBinary uuid = create("c");
    killed("drop.removeChunks.page", "{_configsvrDrop: '%s.c'}".formatted(database));
    assertThat(chunksOf(uuid)).isEqualTo(CHUNKS - 3);
    assertThat(named("c")).isZero();
    CLUSTER.collection(database + ".c").insertOne(new Document("_id", 1));
    CLUSTER.electConfigAgain();
    awaitEnd();
    assertThat(chunksOf(uuid)).isZero();
    assertThat(CLUSTER.collection(database + ".c").countDocuments()).isEqualTo(1);
    assertConsistent();
  }

  /** Another one has its name while its chunks are still there. */
  @Test
  void aCollectionOfTheSameNameHasItsOwnChunks() {
    BsonBinary uuid = create("c");
    Runnable release = CLUSTER.hold("drop.removeChunks.page");
    CompletableFuture<Document> dropped =
        CompletableFuture.supplyAsync(
            () -> CLUSTER.config("{_configsvrDrop: '%s.c'}".formatted(database)));
    CLUSTER.awaitPhase("drop", "removeChunks");
    CLUSTER.collection(database + ".c").insertOne(new Document("_id", 1).append("k", 5));
    CLUSTER.collection(database + ".c").createIndex(new Document("k", 1));
    assertConsistent();
    release.run();
    dropped.join();
    CLUSTER.admin("{shardCollection: '%s.c', key: {k: 1}}".formatted(database));
    assertThat(chunksOf(uuid)).isZero();
    assertThat(CLUSTER.collection(database + ".c").countDocuments()).isEqualTo(1);
    assertConsistent();
  }

  @Test
  void aDroppedDatabaseLeavesNoChunks() {
    BsonBinary first = create("a");
    BsonBinary second = create("b");
    killed("dropDatabase.removeChunks.page", "{_configsvrDropDatabase: '%s'}".formatted(database));
    assertThat(chunksOf(first) + chunksOf(second)).isEqualTo(2 * CHUNKS - 3);
    assertThat(named("a") + named("b")).isZero();
    CLUSTER.electConfigAgain();
    awaitEnd();
    assertThat(chunksOf(first) + chunksOf(second)).isZero();
    assertConsistent();
  }

  /** Chunks of the collection that gives way. */
  @Test
  void aRenameGoesOnBetweenTwoPages() {
    BsonBinary kept = create("a");
    BsonBinary replaced = create("b");
    killed(
        "renameCollection.removeChunks.page",
        "{_configsvrRenameCollection: '%s.a', to: '%1$s.b', dropTarget: true}".formatted(database));
    assertThat(chunksOf(replaced)).isEqualTo(CHUNKS - 3);
    assertThat(CLUSTER.collection(database + ".b").countDocuments()).isEqualTo(2 * CHUNKS);
    CLUSTER.electConfigAgain();
    awaitEnd();
    assertThat(chunksOf(replaced)).isZero();
    assertThat(chunksOf(kept)).isEqualTo(CHUNKS);
    Bson tags = Filters.regex("ns", "^" + database);
    assertThat(CLUSTER.metadata("tags").countDocuments(tags)).isZero();
    assertConsistent();
  }

  private void killed(String point) {
    killed(
        point,
        "{_configsvrReshardCollection: '%s.c', key: {_id: 'hashed'}, numInitialChunks: 10}"
            .formatted(database));
  }

  private BsonDocument entry() {
    return CLUSTER.metadata("collections").find(Filters.eq(database + ".c")).first();
  }

  private long chunks() {
    return CLUSTER.metadata("chunks").countDocuments();
  }

  /** New chunks come before the decision, and the old ones go after it. */
  @Test
  void aReshardingGoesOnBetweenTwoPages() {
    BsonBinary old = create("c");
    long others = chunks() - CHUNKS;
    killed("reshardCollection.writeChunks.page");
    assertThat(chunks()).isEqualTo(others + CHUNKS + 3);
    assertThat(entry().getBinary("uuid")).isEqualTo(old);
    assertConsistent();
    CLUSTER.electConfigAgain();
    awaitEnd();
    long after = chunksOf(entry().getBinary("uuid"));
    assertThat(after).isEqualTo(10);
    assertThat(chunks()).isEqualTo(others + after);
    assertThat(entry().getDocument("key").toJson()).isEqualTo("{\"_id\": \"hashed\"}");
    killed(
        "reshardCollection.removeChunks.page",
        "{_configsvrReshardCollection: '%s.c', key: {k: 1}}".formatted(database));
    assertThat(chunks()).isEqualTo(others + after - 3 + chunksOf(entry().getBinary("uuid")));
    assertConsistent();
    CLUSTER.electConfigAgain();
    awaitEnd();
    assertThat(chunks()).isEqualTo(others + chunksOf(entry().getBinary("uuid")));
    assertThat(CLUSTER.collection(database + ".c").countDocuments()).isEqualTo(2 * CHUNKS);
    assertConsistent();
  }

  @Test
  void anAbortedReshardingLeavesNoChunks() {
    BsonBinary old = create("c");
    long others = chunks() - CHUNKS;
    Runnable release = CLUSTER.hold("reshardCollection.writeChunks.page");
    CompletableFuture<Document> resharded =
        CompletableFuture.supplyAsync(
            () ->
                CLUSTER.config(
                    "{_configsvrReshardCollection: '%s.c', key: {_id: 'hashed'}, numInitialChunks: 10}"
                        .formatted(database)));
    CLUSTER.await("a page of new chunks", () -> chunks() == others + CHUNKS + 3);
    CLUSTER.admin("{abortReshardCollection: '%s.c'}".formatted(database));
    release.run();
    assertThat(resharded.handle((done, error) -> error != null).join()).isTrue();
    awaitEnd();
    assertThat(chunks()).isEqualTo(others + CHUNKS);
    assertThat(chunksOf(old)).isEqualTo(CHUNKS);
    assertConsistent();
  }

  /**
   * A run without a document leaves nothing, so one that fails has to delete what it has written.
   */
  @Test
  void chunksOfACollectionThatIsBeingShardedComeBeforeIt() {
    long others = chunks();
    String command =
        "{_configsvrShardCollection: '%s.c', key: {k: 'hashed'}, numInitialChunks: 20}"
            .formatted(database);
    killed("shardCollection.writeChunks.page", command);
    assertThat(chunks()).isEqualTo(others + 3);
    assertThat(entry()).isNull();
    CLUSTER.electConfigAgain();
    awaitEnd();
    assertThat(chunksOf(entry().getBinary("uuid"))).isEqualTo(20);
    assertThat(chunks()).isEqualTo(others + 20);
    assertConsistent();
  }
}
