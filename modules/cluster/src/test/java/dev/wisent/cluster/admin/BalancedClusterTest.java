package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The balancer with real shards and migrations. */
class BalancedClusterTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final String TEXT = "x".repeat(10_000);

  @BeforeEach
  void hurry() {
    CLUSTER.config("{setParameter: 1, balancerMigrationsThrottlingMs: 0}");
  }

  @AfterEach
  void stop() {
    CLUSTER.admin("{balancerStop: 1}");
  }

  /** A collection on one shard, with chunks of one megabyte. */
  private static void filled(String namespace, int shard, int documents) {
    CLUSTER.create(namespace.substring(0, namespace.indexOf('.')), shard);
    CLUSTER.admin("{shardCollection: '%s', key: {k: 1}}".formatted(namespace));
    CLUSTER.admin("{configureCollectionBalancing: '%s', chunkSize: 1}".formatted(namespace));
    CLUSTER
        .collection(namespace)
        .insertMany(
            IntStream.range(0, documents)
                .mapToObj(i -> new Document("_id", i).append("k", i).append("text", TEXT))
                .toList());
  }

  private static List<BsonDocument> chunks(String namespace) {
    BsonDocument collection = CLUSTER.metadata("collections").find(Filters.eq(namespace)).first();
    return CLUSTER
        .metadata("chunks")
        .find(Filters.eq("uuid", collection.get("uuid")))
        .sort(Sorts.ascending("min"))
        .into(new ArrayList<>());
  }

  private static BsonDocument status(String namespace) {
    return CLUSTER.admin("{balancerCollectionStatus: '%s'}".formatted(namespace));
  }

  private static boolean isCompliant(String namespace) {
    return status(namespace).getBoolean("balancerCompliant").getValue();
  }

  private static long onShard(int shard, String namespace) {
    int dot = namespace.indexOf('.');
    return CLUSTER
        .onShard(shard, namespace.substring(0, dot))
        .runCommand(Document.parse("{collStats: '%s'}".formatted(namespace.substring(dot + 1))))
        .get("count", Number.class)
        .longValue();
  }

  @Test
  void anUnevenCollectionIsSpreadWhileItIsRead() {
    filled("even.c", 0, 1_000);
    BsonDocument before = status("even.c");
    assertThat(before.getInt64("chunkSize").getValue()).isEqualTo(1);
    assertThat(before.getBoolean("balancerCompliant").getValue()).isFalse();
    assertThat(before.getString("firstComplianceViolation").getValue())
        .isEqualTo("chunksImbalance");
    CLUSTER.admin("{balancerStart: 1}");
    assertThat(CLUSTER.admin("{balancerStatus: 1}").getString("mode").getValue()).isEqualTo("full");
    CLUSTER.await(
        "balance",
        () -> {
          assertThat(CLUSTER.collection("even.c").countDocuments()).isEqualTo(1_000);
          return isCompliant("even.c");
        });
    CLUSTER.admin("{balancerStop: 1}");
    BsonDocument stopped = CLUSTER.admin("{balancerStatus: 1}");
    assertThat(stopped.getString("mode").getValue()).isEqualTo("off");
    assertThat(stopped.getBoolean("inBalancerRound").getValue()).isFalse();
    assertThat(stopped.getInt64("numBalancerRounds").getValue()).isPositive();
    assertThat(chunks("even.c"))
        .extracting(chunk -> chunk.getString("shard").getValue())
        .contains("shard0", "shard1");
    assertThat(onShard(1, "even.c")).isBetween(300L, 600L);
    assertThat(CLUSTER.metadata("actionlog").countDocuments(Filters.eq("what", "balancer.round")))
        .isPositive();
    assertThat(CLUSTER.config("{serverStatus: 1}").get("balancer", Document.class))
        .as(
            () ->
                CLUSTER
                    .metadata("changelog")
                    .find(Filters.eq("what", "moveChunk.error"))
                    .into(new ArrayList<>())
                    .toString())
        .containsEntry("numMigrationsFailed", 0L);
  }

  @Test
  void rangesGoToTheShardsOfTheirZone() {
    filled("zoned.c", 0, 200);
    CLUSTER.admin("{addShardToZone: 'shard1', zone: 'upper'}");
    CLUSTER.admin(
        "{updateZoneKeyRange: 'zoned.c', min: {k: 100}, max: {k: {$maxKey: 1}}, zone: 'upper'}");
    assertThat(status("zoned.c").getString("firstComplianceViolation").getValue())
        .isEqualTo("zoneViolation");
    CLUSTER.admin("{balancerStart: 1}");
    CLUSTER.await("the zone", () -> isCompliant("zoned.c"));
    for (BsonDocument chunk : chunks("zoned.c")) {
      boolean upper =
          chunk.getDocument("min").get("k").isNumber()
              && chunk.getDocument("min").getNumber("k").intValue() >= 100;
      assertThat(chunk.getString("shard").getValue()).isEqualTo(upper ? "shard1" : "shard0");
    }
    assertThat(CLUSTER.collection("zoned.c").countDocuments()).isEqualTo(200);
    // A range that is not exactly the same is not removed.
    CLUSTER.admin("{updateZoneKeyRange: 'zoned.c', min: {k: 100}, max: {k: 200}, zone: null}");
    assertThat(CLUSTER.metadata("tags").countDocuments(Filters.eq("ns", "zoned.c"))).isOne();
    assertThat(
            CLUSTER
                .fail("admin", "{removeShardFromZone: 'shard1', zone: 'upper'}")
                .getInt32("code")
                .getValue())
        .isEqualTo(163);
    CLUSTER.admin(
        "{updateZoneKeyRange: 'zoned.c', min: {k: 100}, max: {k: {$maxKey: 1}}, zone: null}");
    CLUSTER.admin("{removeShardFromZone: 'shard1', zone: 'upper'}");
  }

  @Test
  void aCollectionThatIsNotBalancedStays() {
    filled("still.c", 0, 600);
    CLUSTER.admin("{configureCollectionBalancing: 'still.c', enableBalancing: false}");
    filled("moving.c", 0, 600);
    CLUSTER.admin("{balancerStart: 1}");
    CLUSTER.await("balance", () -> isCompliant("moving.c"));
    assertThat(chunks("still.c"))
        .extracting(chunk -> chunk.getString("shard").getValue())
        .containsOnly("shard0");
    assertThat(isCompliant("still.c")).isFalse();
  }
}
