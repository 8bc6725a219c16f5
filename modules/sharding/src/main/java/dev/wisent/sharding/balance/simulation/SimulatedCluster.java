package dev.wisent.sharding.balance.simulation;

import dev.wisent.sharding.balance.BalancePlan;
import dev.wisent.sharding.balance.BalancePolicy;
import dev.wisent.sharding.balance.ChunkMove;
import dev.wisent.sharding.balance.ClusterLoad;
import dev.wisent.sharding.balance.ShardLoad;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Shards and collections, on which the policy runs round by round. */
public final class SimulatedCluster {
  private final List<ShardLoad> shards = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<String, SimulatedCollection> collections = new LinkedHashMap<>();
  private long movedBytes;
  private long moves;
  private long movesBack;

  /**
   * @param shards their sizes do not count: collections tell them
   */
  public SimulatedCluster(List<ShardLoad> shards, Collection<SimulatedCollection> collections) {
    for (ShardLoad shard : shards) {
      numbers.put(shard.name(), this.shards.size());
      this.shards.add(shard);
    }
    collections.forEach(each -> this.collections.put(each.namespace().full(), each));
  }

  void addShard(ShardLoad shard) {
    numbers.put(shard.name(), shards.size());
    shards.add(shard);
    collections.values().forEach(SimulatedCollection::addShard);
  }

  /** Changes limits, zones or draining of a shard. */
  public void change(String shard, UnaryOperator<ShardLoad> change) {
    int number = numbers.get(shard);
    shards.set(number, change.apply(shards.get(number)));
  }

  public int shardCount() {
    return shards.size();
  }

  public long bytes(int shard) {
    return collections.values().stream().mapToLong(each -> each.bytes(shard)).sum();
  }

  private List<ShardLoad> measured() {
    var measured = new ArrayList<ShardLoad>();
    for (int i = 0; i < shards.size(); i++) {
      ShardLoad shard = shards.get(i);
      measured.add(
          new ShardLoad(
              shard.name(),
              bytes(i),
              shard.maxBytes(),
              shard.draining(),
              shard.reachable(),
              shard.zones()));
    }
    return measured;
  }

  /** What the policy would do now. */
  public BalancePlan plan() {
    return plan(collections.values());
  }

  private BalancePlan plan(Collection<SimulatedCollection> some) {
    return BalancePolicy.plan(
        new ClusterLoad(measured(), some.stream().map(SimulatedCollection::load).toList()));
  }

  /** Runs a round; the plan that it has carried out. */
  public BalancePlan round() {
    return carryOut(plan());
  }

  /** Runs a round for one collection. */
  void round(SimulatedCollection collection) {
    carryOut(plan(List.of(collection)));
  }

  private BalancePlan carryOut(BalancePlan plan) {
    for (ChunkMove move : plan.moves()) {
      var moved = collections.get(move.namespace().full()).move(move, numbers.get(move.to()));
      movedBytes += moved.bytes();
      moves++;
      movesBack += moved.back() ? 1 : 0;
    }
    return plan;
  }

  /** Rounds until there is nothing to move, or so many; how many it took. */
  public int balance(int roundsMax) {
    for (int round = 0; round < roundsMax; round++) {
      if (round().moves().isEmpty()) {
        return round;
      }
    }
    return roundsMax;
  }

  public Collection<SimulatedCollection> collections() {
    return collections.values();
  }

  public ShardLoad shard(int number) {
    return shards.get(number);
  }

  public long movedBytes() {
    return movedBytes;
  }

  public long moves() {
    return moves;
  }

  /** How often a chunk went to a shard that it had left. */
  public long movesBack() {
    return movesBack;
  }
}
