package dev.wisent.sharding.balance;

import static dev.wisent.sharding.balance.TestClusters.CHUNK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.RandomSource;
import dev.wisent.sharding.ZoneRange;
import dev.wisent.sharding.balance.simulation.SimulatedChunk;
import dev.wisent.sharding.balance.simulation.SimulatedCluster;
import dev.wisent.sharding.balance.simulation.SimulatedCollection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Small clusters, for which all placements of all chunks are tried. What the balancer moves is
 * compared with the cheapest of those that are balanced, which is found without the policy.
 */
class BalanceOptimumTest {
  private static final int CLUSTERS = 150;

  static List<Long> seeds() {
    long first = Long.getLong("wisent.seed", 1);
    var seeds = new ArrayList<Long>();
    for (long i = 0; i < CLUSTERS; i++) {
      seeds.add(first * 1_000 + i);
    }
    return seeds;
  }

  /**
   * A cluster of full chunks.
   *
   * @param owners by chunk
   * @param zoneOf by chunk; null for all shards
   */
  private record Small(List<ShardLoad> shards, int[] owners, String[] zoneOf) {
    boolean mayHave(int shard, int chunk) {
      return !shards.get(shard).draining()
          && (zoneOf[chunk] == null || shards.get(shard).zones().contains(zoneOf[chunk]));
    }

    /** The fewest chunks that move to a placement in which shards of a zone differ by so many. */
    int cheapest(int differenceMax) {
      return cheapest(new int[owners.length], 0, 0, differenceMax, Integer.MAX_VALUE);
    }

    private int cheapest(int[] placed, int chunk, int moved, int differenceMax, int best) {
      if (moved >= best) {
        return best;
      }
      if (chunk == owners.length) {
        return isEven(placed, differenceMax) ? moved : best;
      }
      int least = best;
      for (int shard = 0; shard < shards.size(); shard++) {
        if (mayHave(shard, chunk)) {
          placed[chunk] = shard;
          int more = shard == owners[chunk] ? 0 : 1;
          least = cheapest(placed, chunk + 1, moved + more, differenceMax, least);
        }
      }
      return least;
    }

    private boolean isEven(int[] placed, int differenceMax) {
      for (int chunk = 0; chunk < placed.length; chunk++) {
        int fewest = Integer.MAX_VALUE;
        int most = 0;
        for (int shard = 0; shard < shards.size(); shard++) {
          if (mayHave(shard, chunk)) {
            int count = count(placed, shard, zoneOf[chunk]);
            fewest = Math.min(fewest, count);
            most = Math.max(most, count);
          }
        }
        if (most - fewest > differenceMax) {
          return false;
        }
      }
      return true;
    }

    private int count(int[] placed, int shard, String zone) {
      int count = 0;
      for (int chunk = 0; chunk < placed.length; chunk++) {
        boolean same = zone == null ? zoneOf[chunk] == null : zone.equals(zoneOf[chunk]);
        count += placed[chunk] == shard && same ? 1 : 0;
      }
      return count;
    }
  }

  /** Either no zones, or two with shards of their own and all chunks in one of them. */
  private static Small cluster(RandomSource random) {
    boolean zoned = random.nextBoolean();
    int count = zoned ? 4 : 2 + random.nextInt(2);
    var shards = new ArrayList<ShardLoad>();
    for (int i = 0; i < count; i++) {
      Set<String> zones = zoned ? Set.of(i < 2 ? "low" : "high") : Set.of();
      boolean draining = i % 2 == 1 && random.nextInt(6) == 0;
      shards.add(new ShardLoad("s" + i, 0, 0, draining, true, zones));
    }
    int chunks = 2 + random.nextInt(zoned ? 9 : 10);
    int favoured = random.nextInt(count);
    var owners = new int[chunks];
    var zoneOf = new String[chunks];
    for (int i = 0; i < chunks; i++) {
      owners[i] = random.nextInt(4) == 0 ? random.nextInt(count) : favoured;
      zoneOf[i] = !zoned ? null : i < chunks / 2 ? "low" : "high";
    }
    return new Small(shards, owners, zoneOf);
  }

  private static SimulatedCluster simulated(Small small) {
    var chunks = new ArrayList<SimulatedChunk>();
    for (int i = 0; i < small.owners().length; i++) {
      chunks.add(TestClusters.chunk(i, CHUNK, small.owners()[i]));
    }
    var collection = new SimulatedCollection("db.c", CHUNK, small.shards().size(), chunks);
    if (small.zoneOf()[0] != null || small.zoneOf()[small.zoneOf().length - 1] != null) {
      long border = 1000L * (small.owners().length / 2);
      List<ZoneRange> zones =
          List.of(
              SimulatedCollection.zone(SimulatedChunk.LEAST, border, "low"),
              SimulatedCollection.zone(border, Long.MAX_VALUE, "high"));
      collection.zones(zones);
    }
    return new SimulatedCluster(small.shards(), List.of(collection));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noPlacementIsCheaper(long seed) {
    Small small = cluster(RandomSource.seeded(seed));
    SimulatedCluster cluster = simulated(small);
    for (BalancePlan plan = cluster.plan(); !plan.moves().isEmpty(); plan = cluster.plan()) {
      cluster.round();
    }
    // Less than three chunks apart is balanced; one apart is as even as whole chunks can be.
    int balanced = small.cheapest(2);
    int even = small.cheapest(1);
    double moved = (double) cluster.movedBytes() / CHUNK;
    assertThat(moved).isGreaterThan(balanced - 1.0).isLessThanOrEqualTo(even + 0.25);
    assertThat(moved).isLessThanOrEqualTo(balanced + 1.0);
  }
}
