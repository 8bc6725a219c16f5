package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An unsharded collection that is not on the primary shard of its database. */
class MovedCollectionTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final int DOCUMENTS = 50;
  private static final int DUPLICATE_KEY = 11000;
  private static int databases;

  private String database;
  private String namespace;

  private MongoCollection<Document> prepare() {
    database = "moved" + databases++;
    namespace = database + ".c";
    CLUSTER.create(database, 0);
    MongoCollection<Document> collection = CLUSTER.collection(namespace);
    collection.insertMany(AdminCluster.documents(DOCUMENTS));
    collection.createIndex(new Document("k", 1));
    CLUSTER.admin("{moveCollection: '%s', toShard: 'shard1'}".formatted(namespace));
    return collection;
  }

  private BsonDocument metadata() {
    return CLUSTER.metadata("collections").find(Filters.eq(namespace)).first();
  }

  private static List<Integer> ids(MongoCollection<Document> collection) {
    return collection
        .find()
        .sort(Sorts.ascending("_id"))
        .map(each -> each.getInteger("_id"))
        .into(new ArrayList<>());
  }

  private static List<Integer> range(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  private void assertConsistent() {
    assertThat(
            CLUSTER
                .config(
                    "{_configsvrCheckMetadataConsistency: '%s', checkIndexes: true}"
                        .formatted(database))
                .getList("inconsistencies", Document.class))
        .isEmpty();
    for (int i = 0; i < 2; i++) {
      assertThat(
              CLUSTER.onShard(i, "config").getCollection("shard.catalog.blocks").countDocuments())
          .isZero();
    }
  }

  @Test
  void aUniqueIndexIsMadeOnIt() {
    MongoCollection<Document> collection = prepare();
    collection.createIndex(new Document("k", 1).append("x", 1), new IndexOptions().unique(true));
    assertThatThrownBy(() -> collection.insertOne(new Document("_id", 100).append("k", 1)))
        .asInstanceOf(type(MongoException.class))
        .returns(DUPLICATE_KEY, MongoException::getCode);
    assertThatThrownBy(
            () -> collection.createIndex(new Document("y", 1), new IndexOptions().unique(true)))
        .asInstanceOf(type(MongoException.class))
        .returns(DUPLICATE_KEY, MongoException::getCode);
    CLUSTER.run(database, "{collMod: 'c', index: {keyPattern: {k: 1}, prepareUnique: true}}");
    assertConsistent();
    CLUSTER.admin("{moveCollection: '%s', toShard: 'shard0'}".formatted(namespace));
    assertThatThrownBy(() -> collection.insertOne(new Document("_id", 100).append("k", 1)))
        .asInstanceOf(type(MongoException.class))
        .returns(DUPLICATE_KEY, MongoException::getCode);
  }

  @Test
  void statisticsCallItUnsharded() {
    prepare();
    BsonDocument stats = CLUSTER.run(database, "{collStats: 'c'}");
    assertThat(stats.getBoolean("sharded").getValue()).isFalse();
    assertThat(stats.getString("primary").getValue()).isEqualTo("shard1");
    assertThat(stats.getDocument("shards")).containsOnlyKeys("shard1");
    assertThat(stats.getNumber("count").intValue()).isEqualTo(DOCUMENTS);
    assertThat(
            CLUSTER
                .database("admin")
                .aggregate(
                    List.of(
                        Document.parse("{$shardedDataDistribution: {}}"),
                        new Document("$match", new Document("ns", namespace))))
                .into(new ArrayList<>()))
        .isEmpty();
    Document listed =
        CLUSTER
            .database(database)
            .aggregate(
                List.of(
                    Document.parse("{$listClusterCatalog: {shards: true, tracked: true}}"),
                    new Document("$match", new Document("ns", namespace))))
            .first();
    assertThat(listed)
        .containsEntry("sharded", false)
        .containsEntry("tracked", true)
        .containsEntry("shards", List.of("shard1"))
        .doesNotContainKey("shardKey");
    assertThat(metadata().getBoolean("unsplittable").getValue()).isTrue();
  }

  @Test
  void outReplacesIt() {
    MongoCollection<Document> collection = prepare();
    MongoCollection<Document> source = CLUSTER.collection(database + ".source");
    String filling = "x".repeat(10_000);
    source.insertMany(
        IntStream.range(200, 500)
            .mapToObj(i -> new Document("_id", i).append("k", i).append("filling", filling))
            .toList());
    source.aggregate(List.of(new Document("$out", "c"))).toCollection();
    assertThat(ids(collection)).isEqualTo(range(200, 500));
    assertThat(collection.listIndexes().map(each -> each.getString("name")).into(new ArrayList<>()))
        .containsExactly("_id_", "k_1");
    assertThat(metadata().getBoolean("unsplittable").getValue()).isTrue();
    assertThat(CLUSTER.onShard(1, database).getCollection("c").countDocuments()).isEqualTo(300);
    assertConsistent();
    // From itself, and from a pipeline that fails.
    collection
        .aggregate(
            List.of(new Document("$match", Filters.lt("_id", 210)), new Document("$out", "c")))
        .toCollection();
    assertThat(ids(collection)).isEqualTo(range(200, 210));
    assertThatThrownBy(
            () ->
                source
                    .aggregate(
                        List.of(
                            Document.parse("{$project: {_id: {$add: [1, '$filling']}}}"),
                            new Document("$out", "c")))
                    .toCollection())
        .isInstanceOf(MongoException.class);
    assertThat(ids(collection)).isEqualTo(range(200, 210));
    assertThat(CLUSTER.database(database).listCollectionNames().into(new ArrayList<>()))
        .containsExactlyInAnyOrder("c", "source");
    assertConsistent();
  }

  private void assertSharded(MongoCollection<Document> collection) {
    assertThat(metadata()).doesNotContainKey("unsplittable");
    assertThat(ids(collection)).isEqualTo(range(0, DOCUMENTS));
    assertThat(collection.countDocuments()).isEqualTo(DOCUMENTS);
    assertThat(collection.updateMany(new Document(), Updates.inc("n", 1)).getModifiedCount())
        .isEqualTo(DOCUMENTS);
    assertConsistent();
  }

  @Test
  void itIsShardedWhereItIs() {
    MongoCollection<Document> collection = prepare();
    String command = "{shardCollection: '%s', key: {%s}}";
    assertThat(
            CLUSTER
                .fail("admin", command.formatted(namespace, "other: 1"))
                .getInt32("code")
                .getValue())
        .isEqualTo(72);
    assertThat(metadata().getBoolean("unsplittable").getValue()).isTrue();
    collection.insertOne(new Document("_id", 1_000).append("k", 5));
    collection.deleteOne(Filters.eq(1_000));
    assertConsistent();

    CLUSTER.admin(command.formatted(namespace, "k: 1"));
    assertSharded(collection);
    assertThat(
            CLUSTER
                .metadata("chunks")
                .distinct("shard", Filters.eq("uuid", metadata().get("uuid")), String.class)
                .into(new ArrayList<>()))
        .containsExactly("shard1");
    CLUSTER.admin("{split: '%s', middle: {k: 0}}".formatted(namespace));
    CLUSTER.admin("{moveChunk: '%s', find: {k: -5}, to: 'shard0'}".formatted(namespace));
    assertSharded(collection);
  }

  @Test
  void anEmptyOneIsSpread() {
    MongoCollection<Document> collection = prepare();
    collection.deleteMany(new Document());
    CLUSTER.admin("{shardCollection: '%s', key: {x: 'hashed'}}".formatted(namespace));
    collection.insertMany(AdminCluster.documents(DOCUMENTS));
    assertSharded(collection);
    assertThat(
            CLUSTER
                .metadata("chunks")
                .distinct("shard", Filters.eq("uuid", metadata().get("uuid")), String.class)
                .into(new ArrayList<>()))
        .containsExactlyInAnyOrder("shard0", "shard1");
  }

  private static final List<String> PHASES =
      List.of("begin", "blockWrites", "plan", "createCollections");

  @Test
  void shardingItCanFail() {
    MongoCollection<Document> collection = prepare();
    collection.deleteMany(new Document());
    BsonDocument before = metadata();
    for (String phase : PHASES) {
      CLUSTER.config(
          ("{configureFailPoint: 'coordinatorPhase', mode: {times: 1},"
                  + " data: {point: 'shardCollection.%s.after', action: 'fail'}}")
              .formatted(phase));
      CLUSTER.fail("admin", "{shardCollection: '%s', key: {x: 'hashed'}}".formatted(namespace));
      assertThat(metadata()).as(phase).isEqualTo(before);
      collection.insertMany(AdminCluster.documents(DOCUMENTS));
      assertThat(ids(collection)).isEqualTo(range(0, DOCUMENTS));
      collection.deleteMany(new Document());
      assertConsistent();
    }
  }

  private static boolean isOver() {
    try {
      return CLUSTER.metadata("system.sharding_ddl_coordinators").countDocuments() == 0;
    } catch (MongoException e) {
      return false;
    }
  }

  @Test
  @Tag("faults")
  void shardingItSurvivesTheDeathOfItsCoordinator() {
    var points = new ArrayList<>(PHASES);
    points.addAll(List.of("commit", "setTables", "unblockWrites"));
    for (String phase : points) {
      MongoCollection<Document> collection = prepare();
      CLUSTER.config(
          ("{configureFailPoint: 'coordinatorPhase', mode: {times: 1},"
                  + " data: {point: 'shardCollection.%s.after', action: 'crash'}}")
              .formatted(phase));
      // Past the router, which would ask again.
      assertThatThrownBy(
              () ->
                  CLUSTER.config(
                      "{_configsvrShardCollection: '%s', key: {k: 1}}".formatted(namespace)))
          .hasMessageContaining("crash at");
      CLUSTER.electConfigAgain();
      CLUSTER.await("the end after " + phase, MovedCollectionTest::isOver);
      assertSharded(collection);
    }
  }

  @Test
  void itIsUntrackedWhereItsDatabaseHasComeToIt() {
    MongoCollection<Document> collection = prepare();
    String untrack = "{untrackUnshardedCollection: '%s'}".formatted(namespace);
    assertThat(CLUSTER.fail("admin", untrack).getInt32("code").getValue()).isEqualTo(96);
    CLUSTER.admin("{movePrimary: '%s', to: 'shard1'}".formatted(database));
    assertThat(metadata().getBoolean("unsplittable").getValue()).isTrue();
    CLUSTER.admin(untrack);
    assertThat(metadata()).isNull();
    assertThat(ids(collection)).isEqualTo(range(0, DOCUMENTS));
    collection.insertOne(new Document("_id", 1_000));
    assertConsistent();
    CLUSTER.admin(untrack);
    CLUSTER.admin("{shardCollection: '%s', key: {k: 1}}".formatted(namespace));
    assertThat(CLUSTER.fail("admin", untrack).getInt32("code").getValue()).isEqualTo(73);
    assertThat(collection.countDocuments()).isEqualTo(DOCUMENTS + 1);
  }
}
