package dev.wisent.sharding.balance;

import static dev.wisent.sharding.balance.TestClusters.CHUNK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.RandomSource;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.ZoneRange;
import dev.wisent.sharding.balance.simulation.SimulatedChunk;
import dev.wisent.sharding.balance.simulation.SimulatedCluster;
import dev.wisent.sharding.balance.simulation.SimulatedCollection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What holds for every cluster. The optimum is what has to move in any case: all data on shards
 * that may not have it, and what shards have above the most even distribution that zones and limits
 * allow.
 */
class BalancePropertiesTest {
  private static final int ROUNDS_MAX = 5_000;
  private static final List<String> ZONES = List.of("a", "b", "c");

  static List<Long> seeds() {
    long first = Long.getLong("wisent.seed", 1);
    var seeds = new ArrayList<Long>();
    for (long i = 0; i < 60; i++) {
      seeds.add(first * 1_000 + i);
    }
    return seeds;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void randomClustersAreBalancedWithTheLeastData(long seed) {
    RandomSource random = RandomSource.seeded(seed);
    List<ShardLoad> shards = shards(random);
    SimulatedCollection collection = collection(random, shards.size());
    List<ZoneRange> zones = random.nextBoolean() ? zones(random, shards) : List.of();
    collection.zones(zones);
    var cluster = new SimulatedCluster(shards, List.of(collection));
    double optimum = optimum(cluster, collection, zones);

    int rounds = 0;
    for (BalancePlan plan = cluster.plan(); !plan.moves().isEmpty(); plan = cluster.plan()) {
      requireDisjoint(plan);
      plan.moves().forEach(move -> requireInZone(move, cluster, zones));
      cluster.round();
      assertThat(++rounds).as("rounds").isLessThan(ROUNDS_MAX);
    }

    assertThat((double) cluster.movedBytes()).as("moved").isLessThanOrEqualTo(1.1 * optimum + 1);
    assertThat(cluster.movesBack()).as("chunks that moved back").isZero();
    requireBalanced(cluster, collection, zones);
  }

  private static List<ShardLoad> shards(RandomSource random) {
    var shards = new ArrayList<ShardLoad>();
    int count = 2 + random.nextInt(12);
    for (int i = 0; i < count; i++) {
      var zones = new HashSet<String>();
      for (String zone : ZONES) {
        if (random.nextInt(3) == 0) {
          zones.add(zone);
        }
      }
      boolean draining = i > 0 && random.nextInt(8) == 0;
      shards.add(new ShardLoad("s" + i, 0, 0, draining, true, zones));
    }
    return shards;
  }

  private static SimulatedCollection collection(RandomSource random, int shards) {
    var chunks = new ArrayList<SimulatedChunk>();
    int count = 1 + random.nextInt(300);
    int favoured = random.nextInt(shards);
    for (int i = 0; i < count; i++) {
      int shard = random.nextInt(3) == 0 ? favoured : random.nextInt(shards);
      // Some are larger than a chunk may be, and are cut on their way.
      long bytes = random.nextLong(random.nextInt(20) == 0 ? 5 * CHUNK : CHUNK);
      chunks.add(TestClusters.chunk(i, bytes, shard));
    }
    return new SimulatedCollection("db.c", CHUNK, shards, chunks);
  }

  /** Ranges that do not follow the chunks, each of a zone that has a shard which stays. */
  private static List<ZoneRange> zones(RandomSource random, List<ShardLoad> shards) {
    var zones = new ArrayList<ZoneRange>();
    long at = 0;
    for (int i = 0; i < 6; i++) {
      long min = at + random.nextInt(40_000);
      at = min + 1 + random.nextInt(60_000);
      String zone = ZONES.get(random.nextInt(ZONES.size()));
      if (shards.stream().anyMatch(shard -> !shard.draining() && shard.zones().contains(zone))) {
        zones.add(SimulatedCollection.zone(min, at, zone));
      }
    }
    return zones;
  }

  private static Set<String> names(List<ZoneRange> zones) {
    var names = new HashSet<String>();
    zones.forEach(zone -> names.add(zone.zone()));
    names.add(null);
    return names;
  }

  private static boolean mayHave(ShardLoad shard, String zone) {
    return !shard.draining() && (zone == null || shard.zones().contains(zone));
  }

  private static double optimum(
      SimulatedCluster cluster, SimulatedCollection collection, List<ZoneRange> zones) {
    CollectionTargets targets = targets(cluster, collection, zones);
    double sum = 0;
    for (ZonePlacement zone : targets.zones()) {
      for (int shard = 0; shard < cluster.shardCount(); shard++) {
        sum += Math.max(0, zone.excess(shard));
      }
    }
    return sum;
  }

  private static CollectionTargets targets(
      SimulatedCluster cluster, SimulatedCollection collection, List<ZoneRange> zones) {
    var shards = new ArrayList<ShardLoad>();
    for (int i = 0; i < cluster.shardCount(); i++) {
      shards.add(cluster.shard(i));
    }
    return new CollectionTargets(
        shards,
        CollectionLoad.of(Namespace.parse("db.c"), CHUNK, collection, collection).withZones(zones));
  }

  private static void requireDisjoint(BalancePlan plan) {
    var busy = new HashSet<String>();
    for (ChunkMove move : plan.moves()) {
      assertThat(busy.add(move.from())).as("one migration for %s", move.from()).isTrue();
      assertThat(busy.add(move.to())).as("one migration for %s", move.to()).isTrue();
    }
  }

  private static void requireInZone(
      ChunkMove move, SimulatedCluster cluster, List<ZoneRange> zones) {
    long min = move.range().min().get("k").isNumber() ? move.range().min().get("k").toLong() : -1;
    String zone = null;
    for (ZoneRange each : zones) {
      if (each.range().min().get("k").toLong() <= min
          && min < each.range().max().get("k").toLong()) {
        zone = each.zone();
      }
    }
    for (int i = 0; i < cluster.shardCount(); i++) {
      if (cluster.shard(i).name().equals(move.to())) {
        assertThat(mayHave(cluster.shard(i), zone)).as("%s in zone %s", move, zone).isTrue();
      }
    }
  }

  /** Everything is where it may be, and two shards of a zone differ by less than three chunks. */
  private static void requireBalanced(
      SimulatedCluster cluster, SimulatedCollection collection, List<ZoneRange> zones) {
    CollectionTargets targets = targets(cluster, collection, zones);
    for (String name : names(zones)) {
      for (ZonePlacement zone : targets.zones()) {
        if (Objects.equals(zone.zone, name)) {
          for (int shard = 0; shard < cluster.shardCount(); shard++) {
            assertThat(zone.chunks[shard] == 0 || mayHave(cluster.shard(shard), name))
                .as("s%s has data of the zone %s", shard, name)
                .isTrue();
          }
        }
      }
    }
    assertThat(new CollectionBalance(targets).imbalanceBytes()).isLessThan(3.0 * CHUNK);
  }
}
