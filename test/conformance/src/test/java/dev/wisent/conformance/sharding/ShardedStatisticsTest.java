package dev.wisent.conformance.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoDatabase;
import dev.wisent.testkit.TestCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Figures of collections through a router, in the shapes of mongos. */
@ExtendWith(SharedCluster.class)
class ShardedStatisticsTest {
  private static final String NAME = "statistics";
  private static MongoDatabase database;

  @BeforeAll
  static void fill(TestCluster cluster) {
    database = cluster.client().getDatabase(NAME);
    cluster.shardAt(NAME + ".c", "k", 10, 20);
    database
        .getCollection("c")
        .insertMany(
            IntStream.range(0, 30).mapToObj(i -> new Document("_id", i).append("k", i)).toList());
    database.getCollection("plain").insertOne(new Document("_id", 1));
    database.createView("view", "c", List.of());
  }

  private static Document run(String command) {
    return database.runCommand(Document.parse(command));
  }

  private static List<Document> aggregate(String collection, String stage) {
    return database
        .getCollection(collection)
        .aggregate(List.of(Document.parse(stage)))
        .into(new ArrayList<>());
  }

  private static long number(Document from, String field) {
    return from.get(field, Number.class).longValue();
  }

  @Test
  void collStatsSumsUpTheShards() {
    Document stats = run("{collStats: 'c'}");
    assertThat(stats)
        .containsEntry("sharded", true)
        .containsEntry("ns", "statistics.c")
        .containsEntry("nchunks", 3)
        .containsEntry("nindexes", 2)
        .containsEntry("scaleFactor", 1)
        .doesNotContainKey("primary");
    assertThat(number(stats, "count")).isEqualTo(30);
    Document shards = stats.get("shards", Document.class);
    assertThat(shards).containsOnlyKeys("shard0", "shard1", "shard2");
    long size = 0;
    for (Object each : shards.values()) {
      assertThat(number((Document) each, "count")).isEqualTo(10);
      size += number((Document) each, "size");
    }
    assertThat(number(stats, "size")).isEqualTo(size);
    assertThat(stats.getDouble("avgObjSize")).isEqualTo(size / 30.0);
    assertThat(stats.get("indexSizes", Document.class)).containsOnlyKeys("_id_", "k_1");
  }

  @Test
  void collStatsScalesTheSums() {
    Document stats = run("{collStats: 'c', scale: 1024}");
    assertThat(stats).containsEntry("scaleFactor", 1024);
    assertThat(number(stats, "size")).isEqualTo(number(run("{collStats: 'c'}"), "size") / 1024);
    Document ofShard = stats.get("shards", Document.class).get("shard0", Document.class);
    assertThat(number(ofShard, "size")).isZero();
    assertThat(number(ofShard, "scaleFactor")).isEqualTo(1024);
    assertThatThrownBy(() -> run("{collStats: 'c', scale: 'x'}"))
        .isInstanceOf(MongoCommandException.class);
  }

  @Test
  void collStatsOfAnUnshardedCollectionNamesItsShard() {
    Document stats = run("{collStats: 'plain'}");
    assertThat(stats).containsEntry("sharded", false).containsKey("primary");
    assertThat(stats.get("shards", Document.class)).containsOnlyKeys(stats.getString("primary"));
    assertThat(number(stats, "count")).isEqualTo(1);
  }

  @Test
  void dataSizeSumsUpTheShards() {
    Document sizes = run("{dataSize: 'statistics.c'}");
    assertThat(number(sizes, "numObjects")).isEqualTo(30);
    assertThat(number(sizes, "size")).isEqualTo(number(run("{collStats: 'c'}"), "size"));
  }

  @Test
  void validateAsksAllShards() {
    Document report = run("{validate: 'c'}");
    assertThat(report).containsEntry("valid", true).doesNotContainKey("nrecords");
    assertThat(report.get("raw", Document.class)).containsOnlyKeys("shard0", "shard1", "shard2");
    assertThat(number(run("{validate: 'plain'}"), "nrecords")).isEqualTo(1);
    assertThat(run("{validate: 'plain'}")).containsKey("raw");
  }

  @Test
  void planCachesOfAllShards() {
    run("{planCacheSetFilter: 'c', query: {k: 1, z: 1}, indexes: [{k: 1}]}");
    Document filters = run("{planCacheListFilters: 'c'}");
    assertThat(filters.getList("filters", Document.class)).hasSize(1);
    assertThat(filters).containsKeys("shard0", "shard1", "shard2");
    assertThat(run("{planCacheClearFilters: 'c'}")).containsKeys("shard0", "shard1", "shard2");
    assertThat(run("{planCacheClear: 'c'}")).containsKeys("shard0", "shard1", "shard2");
    assertThat(run("{planCacheListFilters: 'c'}").getList("filters", Document.class)).isEmpty();
  }

  @Test
  void statisticsInPipelinesNameTheirShards() {
    List<Document> stats = aggregate("c", "{$collStats: {count: {}, storageStats: {}}}");
    assertThat(stats)
        .extracting(each -> each.getString("shard"))
        .containsExactlyInAnyOrder("shard0", "shard1", "shard2");
    assertThat(stats).allSatisfy(each -> assertThat(number(each, "count")).isEqualTo(10));
    List<Document> indexes = aggregate("c", "{$indexStats: {}}");
    assertThat(indexes)
        .hasSize(6)
        .allSatisfy(each -> assertThat(each).containsKeys("shard", "host"));
    assertThat(aggregate("plain", "{$collStats: {count: {}}}"))
        .allSatisfy(each -> assertThat(each).containsKey("shard"));
    assertThat(aggregate("plain", "{$indexStats: {}}"))
        .allSatisfy(each -> assertThat(each).containsKey("shard"));
    database.getCollection("c").find(Document.parse("{k: {$gt: 3}, _id: {$gt: 2}}")).first();
    assertThat(aggregate("c", "{$planCacheStats: {}}"))
        .allSatisfy(each -> assertThat(each).containsKeys("shard", "host"));
  }

  private static List<Document> list(MongoDatabase of, String stage) {
    return of.aggregate(List.of(Document.parse(stage))).into(new ArrayList<>());
  }

  @Test
  void eachShardListsWhatItHasStored(TestCluster cluster) {
    List<Document> stored = aggregate("c", "{$listCatalog: {}}");
    assertThat(stored)
        .extracting(each -> each.getString("shard"))
        .containsExactlyInAnyOrder("shard0", "shard1", "shard2");
    assertThat(stored)
        .extracting(each -> each.get("md", Document.class).get("options", Document.class))
        .extracting(options -> options.get("uuid"))
        .containsOnly(uuid("c"));
    List<Document> everything =
        list(cluster.client().getDatabase("admin"), "{$listCatalog: {}}").stream()
            .filter(each -> each.getString("db").equals(NAME))
            .toList();
    assertThat(everything)
        .filteredOn(each -> each.getString("name").equals("c"))
        .extracting(each -> each.getString("shard"))
        .containsExactlyInAnyOrder("shard0", "shard1", "shard2");
    assertThat(everything)
        .filteredOn(each -> List.of("plain", "view").contains(each.getString("name")))
        .extracting(each -> each.getString("shard"))
        .containsOnly(run("{collStats: 'plain'}").getString("primary"));
    assertThatThrownBy(() -> list(database, "{$listCatalog: {}}"))
        .hasMessageContaining("must be run against the 'admin' database");
  }

  private static Object uuid(String name) {
    return database
        .listCollections()
        .filter(new Document("name", name))
        .first()
        .get("info", Document.class)
        .get("uuid");
  }

  @Test
  void theClusterListsItsCollections(TestCluster cluster) {
    String asked =
        "{$listClusterCatalog: {shards: true, balancingConfiguration: true, tracked: true}}";
    List<Document> listed = list(database, asked);
    Document spread = entry(listed, "c");
    assertThat(spread.keySet())
        .containsExactly(
            "ns",
            "db",
            "type",
            "options",
            "info",
            "idIndex",
            "sharded",
            "shardKey",
            "shards",
            "balancingEnabled",
            "balancingEnabledReason",
            "autoMergingEnabled",
            "chunkSize",
            "tracked");
    assertThat(spread)
        .containsEntry("db", NAME)
        .containsEntry("type", "collection")
        .containsEntry("sharded", true)
        .containsEntry("shardKey", new Document("k", 1))
        .containsEntry("shards", List.of("shard0", "shard1", "shard2"))
        .containsEntry("balancingEnabled", true)
        .containsEntry("chunkSize", 128)
        .containsEntry("tracked", true);
    assertThat(entry(listed, "plain"))
        .containsEntry("sharded", false)
        .containsEntry("shards", List.of(run("{collStats: 'plain'}").getString("primary")))
        .containsEntry("tracked", false)
        .doesNotContainKeys("shardKey", "balancingEnabled");
    assertThat(entry(listed, "view")).containsEntry("type", "view").containsEntry("sharded", false);
    List<Document> all = list(cluster.client().getDatabase("admin"), "{$listClusterCatalog: {}}");
    assertThat(entry(all, "c"))
        .containsEntry("sharded", true)
        .doesNotContainKeys("shards", "tracked");
    assertThat(all).extracting(each -> each.getString("ns")).contains("config.shards");
    assertThat(list(cluster.client().getDatabase("nosuch"), asked)).isEmpty();
  }

  private static Document entry(List<Document> listed, String collection) {
    return listed.stream()
        .filter(each -> each.getString("ns").equals(NAME + "." + collection))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void indexesOfAShardedCollection() {
    assertThat(database.getCollection("c").listIndexes().into(new ArrayList<>()))
        .extracting(index -> index.getString("name"))
        .containsExactly("_id_", "k_1");
  }

  @Test
  void viewsHaveNoFigures() {
    for (String command : List.of("collStats", "validate")) {
      assertThatThrownBy(() -> run("{" + command + ": 'view'}"))
          .isInstanceOf(MongoCommandException.class)
          .extracting(error -> ((MongoCommandException) error).getErrorCode())
          .isEqualTo(166);
    }
  }
}
