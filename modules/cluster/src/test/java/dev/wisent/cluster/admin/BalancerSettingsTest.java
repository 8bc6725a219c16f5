package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Fields of the balancer's document in {@code config.settings}. */
class BalancerSettingsTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  @BeforeEach
  void hurry() {
    CLUSTER.config("{setParameter: 1, balancerMigrationsThrottlingMs: 0}");
  }

  @AfterEach
  void stop() {
    CLUSTER.admin("{balancerStop: 1}");
  }

  private static void set(String id, String field, boolean value) {
    CLUSTER
        .collection("config.settings")
        .updateOne(
            Filters.eq(id),
            new Document("$set", new Document(field, value)),
            new UpdateOptions().upsert(true));
  }

  /** Six megabytes on shard0, in a collection with chunks of one. */
  private static void fill(String database, IntUnaryOperator key) {
    CLUSTER.create(database, 0);
    CLUSTER.admin("{shardCollection: '%s.c', key: {k: 1}}".formatted(database));
    CLUSTER.admin("{configureCollectionBalancing: '%s.c', chunkSize: 1}".formatted(database));
    CLUSTER
        .collection(database + ".c")
        .insertMany(
            IntStream.range(0, 600)
                .mapToObj(
                    i ->
                        new Document("_id", i)
                            .append("k", key.applyAsInt(i))
                            .append("text", "x".repeat(10_000)))
                .toList());
  }

  private static long onShard(int number, String database) {
    return CLUSTER.onShard(number, database).getCollection("c").countDocuments();
  }

  /** Otherwise the documents stay on the donor for a quarter of an hour. */
  @Test
  void aMigrationEndsWhenTheRangeIsDeleted() {
    set("balancer", "_waitForDelete", true);
    fill("deleted", i -> i);
    CLUSTER.admin("{balancerStart: 1}");
    CLUSTER.await("a migration", () -> onShard(1, "deleted") > 0);
    CLUSTER.admin("{balancerStop: 1}");
    assertThat(onShard(0, "deleted") + onShard(1, "deleted")).isEqualTo(600);
    set("balancer", "_waitForDelete", false);
  }

  private static boolean isJumboOn(String shard) {
    return CLUSTER
            .metadata("chunks")
            .countDocuments(
                Filters.and(
                    Filters.eq("max", new Document("k", 1)),
                    Filters.eq("jumbo", true),
                    Filters.eq("shard", shard)))
        > 0;
  }

  private static long rounds() {
    return CLUSTER.admin("{balancerStatus: 1}").getNumber("numBalancerRounds").longValue();
  }

  @Test
  void jumboChunksMoveAsAWholeIfTheSettingSaysSo() {
    set("autosplit", "enabled", false);
    fill("jumbo", i -> Math.max(0, i - 400));
    CLUSTER.admin("{addShardToZone: 'shard1', zone: 'zero'}");
    CLUSTER.admin(
        "{updateZoneKeyRange: 'jumbo.c', min: {k: {$minKey: 1}}, max: {k: 1}, zone: 'zero'}");
    CLUSTER.admin("{balancerStart: 1}");
    CLUSTER.await("the mark", () -> isJumboOn("shard0"));
    long before = rounds();
    CLUSTER.admin("{balancerStart: 1}");
    CLUSTER.await("two more rounds", () -> rounds() > before + 1);
    assertThat(onShard(1, "jumbo")).as("of the zone").isLessThan(400);
    assertThat(isJumboOn("shard0")).isTrue();
    set("balancer", "attemptToBalanceJumboChunks", true);
    CLUSTER.admin("{balancerStart: 1}");
    CLUSTER.await(
        "the zone",
        () ->
            CLUSTER
                    .metadata("chunks")
                    .countDocuments(
                        Filters.and(
                            Filters.eq("max", new Document("k", 1)), Filters.eq("shard", "shard1")))
                == 1);
    assertThat(CLUSTER.collection("jumbo.c").countDocuments(Filters.eq("k", 0))).isEqualTo(401);
  }
}
