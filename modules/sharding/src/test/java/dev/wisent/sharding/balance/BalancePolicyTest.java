package dev.wisent.sharding.balance;

import static dev.wisent.sharding.balance.TestClusters.CHUNK;
import static dev.wisent.sharding.balance.TestClusters.GB;
import static dev.wisent.sharding.balance.TestClusters.MB;
import static dev.wisent.sharding.balance.TestClusters.chunk;
import static dev.wisent.sharding.balance.TestClusters.chunks;
import static dev.wisent.sharding.balance.TestClusters.gigabytes;
import static dev.wisent.sharding.balance.TestClusters.gigabytesOf;
import static dev.wisent.sharding.balance.TestClusters.of;
import static dev.wisent.sharding.balance.TestClusters.owners;
import static dev.wisent.sharding.balance.TestClusters.shards;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.operation.Namespace;
import dev.wisent.sharding.balance.simulation.SimulatedChunk;
import dev.wisent.sharding.balance.simulation.SimulatedCluster;
import dev.wisent.sharding.balance.simulation.SimulatedCollection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BalancePolicyTest {
  private static final int ROUNDS_MAX = 10_000;

  private static SimulatedCluster cluster(SimulatedCollection collection, ShardLoad... shards) {
    return new SimulatedCluster(List.of(shards), List.of(collection));
  }

  private static ShardLoad shard(String name, String... zones) {
    return ShardLoad.of(name, 0).inZones(zones);
  }

  /** Balance is reached when two shards differ by less than three chunks: 0.375 GB. */
  @Test
  void fourUnevenShardsMoveAsMuchAsTheyHaveAboveTheirShare() {
    SimulatedCluster cluster = gigabytes(500, 500, 300, 300);
    assertThat(cluster.balance(ROUNDS_MAX)).isLessThan(ROUNDS_MAX);
    assertThat(gigabytesOf(cluster)).containsOnly(400L);
    assertThat(cluster.movedBytes()).isBetween(199 * GB, 200 * GB);
    assertThat(cluster.movesBack()).isZero();
  }

  @Test
  void anEmptyShardGetsItsShareOfAllOthers() {
    SimulatedCluster cluster = gigabytes(500, 500, 500, 500, 0);
    assertThat(cluster.balance(ROUNDS_MAX)).isLessThan(ROUNDS_MAX);
    assertThat(gigabytesOf(cluster)).containsOnly(400L);
    assertThat(cluster.movedBytes()).isBetween(399 * GB, 400 * GB);
  }

  @Test
  void allPairsMoveAtTheSameTime() {
    List<ChunkMove> moves = gigabytes(500, 500, 300, 300).plan().moves();
    assertThat(moves).hasSize(2);
    assertThat(moves).allMatch(move -> move.bytes() == CHUNK && !move.forceJumbo());
    assertThat(moves).extracting(ChunkMove::from).containsExactlyInAnyOrder("s0", "s1");
    assertThat(moves).extracting(ChunkMove::to).containsExactlyInAnyOrder("s2", "s3");
    assertThat(moves).allMatch(move -> move.reason() == MoveReason.CHUNKS_IMBALANCE);
  }

  /** Keys without an order, such as digests: one of two shards has ten chunks more. */
  @Test
  void ofTenChunksTooManyFiveMoveLessWhatTheThresholdLeaves() {
    var cluster = new SimulatedCluster(shards(2), List.of(chunks("db.md5", 30, 20)));
    cluster.balance(ROUNDS_MAX);
    // 27 to 23 are four chunks apart, 26 to 24 two.
    assertThat(cluster.bytes(0)).isEqualTo(26 * CHUNK);
    assertThat(cluster.moves()).isEqualTo(4);
    var exact = new SimulatedCluster(shards(2), List.of(smallChunks(30 * 8, 20 * 8)));
    exact.balance(ROUNDS_MAX);
    assertThat(exact.movedBytes()).isBetween(5 * CHUNK - 2 * CHUNK, 5 * CHUNK);
  }

  /** The same data in chunks of an eighth: the threshold is in chunks. */
  private static SimulatedCollection smallChunks(int... onShards) {
    var list = new ArrayList<SimulatedChunk>();
    for (int shard = 0; shard < onShards.length; shard++) {
      for (int i = 0; i < onShards[shard]; i++) {
        list.add(chunk(list.size(), CHUNK / 8, shard));
      }
    }
    return new SimulatedCollection("db.small", CHUNK / 8, onShards.length, list);
  }

  @Test
  void lessThanThreeChunksApartIsBalanced() {
    assertThat(new SimulatedCluster(shards(2), List.of(chunks("db.c", 2, 0))).plan().moves())
        .isEmpty();
    BalancePlan plan = new SimulatedCluster(shards(2), List.of(chunks("db.c", 3, 0))).plan();
    assertThat(plan.moves()).hasSize(1);
    assertThat(plan.imbalanced()).isOne();
  }

  @Test
  void aLargeRangeIsCutToWhatHasToMove() {
    SimulatedCollection one = of(2, chunk(0, 10 * CHUNK, 0));
    SimulatedCluster cluster = new SimulatedCluster(shards(2), List.of(one));
    assertThat(cluster.plan().moves().getFirst().bytes()).isEqualTo(CHUNK);
    cluster.balance(ROUNDS_MAX);
    assertThat(cluster.bytes(0)).isBetween(5 * CHUNK, 13 * CHUNK / 2);
    assertThat(cluster.movesBack()).isZero();
  }

  @Test
  void aDifferenceOfManyShardsWithALittleMoreIsEvenedOut() {
    int[] chunks = new int[101];
    Arrays.fill(chunks, 0, 100, 10);
    var cluster = new SimulatedCluster(shards(101), List.of(chunks("db.c", chunks)));
    cluster.balance(ROUNDS_MAX);
    assertThat(cluster.bytes(100)).isBetween(7 * CHUNK - CHUNK / 2, 10 * CHUNK);
  }

  // Zones.

  @Test
  void customersByAddressAreOnTheShardsOfTheirZone() {
    SimulatedCollection visits = chunks("db.visits", 20, 20, 20);
    visits.zones(
        List.of(
            SimulatedCollection.zone(17_000, 18_000, "seventeen"),
            SimulatedCollection.zone(56_000, 57_000, "fiftySix")));
    SimulatedCluster cluster =
        cluster(
            visits, shard("s0", "fiftySix"), shard("s1", "seventeen"), shard("s2", "seventeen"));
    assertThat(cluster.plan().moves()).allMatch(m -> m.reason() == MoveReason.ZONE_VIOLATION);
    cluster.balance(ROUNDS_MAX);
    assertThat(visits.shard(17)).isIn(1, 2);
    assertThat(visits.shard(56)).isZero();
    assertThat(cluster.plan().stalls()).isEmpty();
  }

  @Test
  void importantDataIsOnTheShardsForItAndLogsOnOthers() {
    SimulatedCollection important = chunks("db.important", 0, 0, 0, 10);
    important.zones(
        List.of(SimulatedCollection.zone(SimulatedChunk.LEAST, Long.MAX_VALUE, "high")));
    SimulatedCollection logs = chunks("db.logs", 40, 0, 0, 0);
    logs.zones(List.of(SimulatedCollection.zone(SimulatedChunk.LEAST, Long.MAX_VALUE, "low")));
    var cluster =
        new SimulatedCluster(
            List.of(
                shard("s0", "high"), shard("s1", "high"), shard("s2", "low"), shard("s3", "low")),
            List.of(important, logs));
    cluster.balance(ROUNDS_MAX);
    assertThat(owners(important)).matches("(s[01] ?)+");
    assertThat(owners(logs)).matches("(s[23] ?)+");
    assertThat(logs.bytes(2)).isBetween(18 * CHUNK, 22 * CHUNK);
    assertThat(important.bytes(0)).isBetween(3 * CHUNK, 7 * CHUNK);
    assertThat(cluster.movedBytes()).isLessThanOrEqualTo(50 * CHUNK);
  }

  /** The newest data of a firehose is on strong machines; each day the border moves. */
  @Test
  void whatIsOlderThanTheBorderLeavesTheFastShards() {
    SimulatedCollection events = chunks("db.events", 0, 10, 10);
    ShardLoad[] shards = {shard("s0", "10x"), shard("s1"), shard("s2")};
    SimulatedCluster cluster = cluster(events, shards);
    for (int border = 18; border > 12; border--) {
      events.zones(
          List.of(
              SimulatedCollection.zone(SimulatedChunk.LEAST, 1000L * border, "1x"),
              SimulatedCollection.zone(1000L * border, Long.MAX_VALUE, "10x")));
      cluster.change("s1", shard -> shard.inZones("1x"));
      cluster.change("s2", shard -> shard.inZones("1x"));
      cluster.balance(ROUNDS_MAX);
      assertThat(events.bytes(0)).isEqualTo((20 - border) * CHUNK);
    }
    for (int border = 14; border <= 19; border++) {
      events.zones(
          List.of(
              SimulatedCollection.zone(SimulatedChunk.LEAST, 1000L * border, "1x"),
              SimulatedCollection.zone(1000L * border, Long.MAX_VALUE, "10x")));
      cluster.balance(ROUNDS_MAX);
      assertThat(events.bytes(0)).isEqualTo((20 - border) * CHUNK);
    }
  }

  @Test
  void aChunkAcrossTheBorderOfAZoneMovesWithItsPart() {
    SimulatedCollection one = of(2, chunk(0, CHUNK, 0), chunk(1, CHUNK, 0));
    one.zones(List.of(SimulatedCollection.zone(500, 1500, "z")));
    SimulatedCluster cluster = cluster(one, shard("s0"), shard("s1", "z"));
    ChunkMove first = cluster.plan().moves().getFirst();
    assertThat(first.range().min()).isEqualTo(SimulatedCollection.key(500));
    assertThat(first.range().max()).isEqualTo(SimulatedCollection.key(1000));
    cluster.balance(ROUNDS_MAX);
    assertThat(owners(one)).isEqualTo("s0 s1 s1 s0");
  }

  @Test
  void aZoneWithoutAShardStallsAndNothingElseDoes() {
    SimulatedCollection nowhere = chunks("db.nowhere", 2, 0, 0);
    nowhere.zones(List.of(SimulatedCollection.zone(0, 5000, "none")));
    SimulatedCollection uneven = chunks("db.uneven", 9, 9, 0);
    var cluster = new SimulatedCluster(shards(3), List.of(nowhere, uneven));
    BalancePlan plan = cluster.plan();
    assertThat(plan.moves()).extracting(move -> move.namespace().full()).containsOnly("db.uneven");
    assertThat(plan.stalls()).hasSize(1);
    assertThat(plan.stalls().getFirst().message()).contains("zone none");
    cluster.balance(ROUNDS_MAX);
    assertThat(owners(nowhere)).isEqualTo("s0 s0");
  }

  @Test
  void dataWithoutAZoneFillsWhatZonesLeave() {
    SimulatedCollection mixed = chunks("db.c", 40, 0);
    mixed.zones(List.of(SimulatedCollection.zone(SimulatedChunk.LEAST, 20_000, "first")));
    SimulatedCluster cluster = cluster(mixed, shard("s0", "first"), shard("s1"));
    cluster.balance(ROUNDS_MAX);
    assertThat(mixed.bytes(0)).isBetween(20 * CHUNK, 22 * CHUNK);
  }

  // Draining, limits, jumbo chunks.

  @Test
  void aDrainingShardIsEmptiedEvenly() {
    SimulatedCluster cluster = gigabytes(10, 10, 10);
    cluster.change("s0", ShardLoad::inDraining);
    assertThat(cluster.plan().moves().getFirst().reason()).isEqualTo(MoveReason.DRAINING);
    cluster.balance(ROUNDS_MAX);
    assertThat(gigabytesOf(cluster)).containsExactly(0L, 15L, 15L);
    assertThat(cluster.movedBytes()).isEqualTo(10 * GB);
  }

  @Test
  void emptyChunksLeaveADrainingShardToo() {
    SimulatedCollection empty =
        of(3, chunk(0, 0, 0), chunk(1, 0, 0), chunk(2, 0, 0), chunk(3, 0, 0));
    SimulatedCluster cluster = cluster(empty, shards(3).toArray(ShardLoad[]::new));
    assertThat(cluster.plan().moves()).isEmpty();
    cluster.change("s0", ShardLoad::inDraining);
    cluster.balance(ROUNDS_MAX);
    assertThat(owners(empty)).isEqualTo("s1 s2 s1 s2");
  }

  @Test
  void jumboChunksStayUnlessTheirShardIsDrained() {
    var jumbo = new SimulatedChunk(SimulatedChunk.LEAST, 50 * CHUNK, 0, true);
    SimulatedCollection one = of(2, jumbo, chunk(1, CHUNK, 0), chunk(2, CHUNK, 1));
    SimulatedCluster cluster = cluster(one, shards(2).toArray(ShardLoad[]::new));
    cluster.balance(ROUNDS_MAX);
    assertThat(owners(one)).startsWith("s0 s1");
    cluster.change("s0", ShardLoad::inDraining);
    BalancePlan plan = cluster.plan();
    assertThat(plan.moves().getFirst().forceJumbo()).isTrue();
    assertThat(plan.stalls()).extracting(Stall::message).anyMatch(m -> m.contains("jumbo"));
    cluster.balance(ROUNDS_MAX);
    assertThat(one.bytes(0)).isZero();
  }

  @Test
  void aJumboChunkOutsideOfItsZoneIsReported() {
    var jumbo = new SimulatedChunk(SimulatedChunk.LEAST, 5 * CHUNK, 0, true);
    SimulatedCollection one = of(2, jumbo);
    one.zones(List.of(SimulatedCollection.zone(SimulatedChunk.LEAST, Long.MAX_VALUE, "z")));
    SimulatedCluster cluster = cluster(one, shard("s0"), shard("s1", "z"));
    assertThat(cluster.plan().moves()).isEmpty();
    assertThat(cluster.plan().stalls())
        .extracting(Stall::reason)
        .containsExactly(MoveReason.ZONE_VIOLATION);
  }

  @Test
  void aFullShardReceivesNothingAndGivesSomeAway() {
    SimulatedCluster cluster = gigabytes(100, 100, 10, 0);
    cluster.change("s2", shard -> shard.limitedTo(10 * GB));
    cluster.change("s0", shard -> shard.limitedTo(20 * GB));
    cluster.balance(ROUNDS_MAX);
    List<Long> after = gigabytesOf(cluster);
    assertThat(after.get(2)).isEqualTo(10);
    assertThat(after.get(0)).isEqualTo(67);
    assertThat(after.get(3)).isEqualTo(67);
  }

  @Test
  void aFullShardIsFilledUpToItsLimitAndNotFurther() {
    SimulatedCluster cluster = gigabytes(100, 0, 0);
    cluster.change("s1", shard -> shard.limitedTo(10 * GB));
    cluster.balance(ROUNDS_MAX);
    assertThat(cluster.bytes(1)).isBetween(9 * GB, 10 * GB);
    assertThat(gigabytesOf(cluster).get(2)).isBetween(44L, 45L);
  }

  @Test
  void anUnreachableShardTakesNoPart() {
    SimulatedCluster cluster = gigabytes(10, 0, 0);
    cluster.change("s1", shard -> new ShardLoad(shard.name(), 0, 0, false, false, shard.zones()));
    assertThat(cluster.plan().moves()).extracting(ChunkMove::to).containsExactly("s2");
  }

  @Test
  void chunksWhoseMigrationHasFailedAreHeld() {
    SimulatedCollection one = chunks("db.c", 10, 0);
    List<ShardLoad> shards = shards(2);
    CollectionLoad load = CollectionLoad.of(Namespace.parse("db.c"), CHUNK, one, one);
    ChunkMove first = BalancePolicy.plan(new ClusterLoad(shards, List.of(load))).moves().getFirst();
    assertThat(one.indexOf(first.range().min())).isZero();
    ChunkMove next =
        BalancePolicy.plan(new ClusterLoad(shards, List.of(load.holding(Set.of(0, 1)))))
            .moves()
            .getFirst();
    assertThat(one.indexOf(next.range().min())).isEqualTo(2);
  }

  // Growing ends.

  @Test
  void theNewTopChunkOfAnAscendingKeyGoesToTheShardWithTheLeastData() {
    SimulatedCollection log =
        of(3, chunk(0, CHUNK, 0), chunk(1, CHUNK / 2, 1), chunk(2, CHUNK, 2), chunk(3, MB, 0));
    CollectionLoad load = CollectionLoad.of(Namespace.parse("db.log"), CHUNK, log, log);
    assertThat(BalancePolicy.plan(new ClusterLoad(shards(3), List.of(load))).moves()).isEmpty();
    ChunkMove move =
        BalancePolicy.plan(new ClusterLoad(shards(3), List.of(load.growingAt(GrowingEnd.HIGH))))
            .moves()
            .getFirst();
    assertThat(move.reason()).isEqualTo(MoveReason.GROWING_END);
    assertThat(move.from()).isEqualTo("s0");
    assertThat(move.to()).isEqualTo("s1");
    assertThat(move.range()).isEqualTo(log.range(3));
  }

  @Test
  void theStatusNamesTheMostUrgentViolation() {
    SimulatedCollection one = chunks("db.c", 10, 0);
    CollectionLoad load = CollectionLoad.of(Namespace.parse("db.c"), CHUNK, one, one);
    assertThat(BalancePolicy.violation(shards(2), load)).contains(MoveReason.CHUNKS_IMBALANCE);
    List<ShardLoad> zoned = List.of(shard("s0"), shard("s1", "z"));
    CollectionLoad inZone = load.withZones(List.of(SimulatedCollection.zone(0, 1, "z")));
    assertThat(BalancePolicy.violation(zoned, inZone)).contains(MoveReason.ZONE_VIOLATION);
    List<ShardLoad> draining = List.of(shard("s0").inDraining(), shard("s1", "z"));
    assertThat(BalancePolicy.violation(draining, inZone)).contains(MoveReason.DRAINING);
    SimulatedCollection even = chunks("db.c", 10, 10);
    assertThat(
            BalancePolicy.violation(
                shards(2), CollectionLoad.of(Namespace.parse("db.c"), CHUNK, even, even)))
        .isEmpty();
  }
}
