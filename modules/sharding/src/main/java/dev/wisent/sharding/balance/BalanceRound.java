package dev.wisent.sharding.balance;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A round that is being planned: which shards have a migration already. */
final class BalanceRound {
  private final List<ShardLoad> shards;
  private final boolean[] busy;
  private final List<ChunkMove> moves = new ArrayList<>();
  private final List<Stall> stalls = new ArrayList<>();

  /**
   * @param taken the names of shards that take part in a migration of before
   */
  BalanceRound(List<ShardLoad> shards, Set<String> taken) {
    this.shards = shards;
    this.busy = new boolean[shards.size()];
    for (int i = 0; i < busy.length; i++) {
      busy[i] = taken.contains(shards.get(i).name());
    }
  }

  ShardLoad shard(int number) {
    return shards.get(number);
  }

  /** Whether a shard can take part in one more migration. */
  boolean isFree(int shard) {
    return !busy[shard] && shards.get(shard).reachable();
  }

  void add(ChunkMove move, int from, int to) {
    busy[from] = true;
    busy[to] = true;
    moves.add(move);
  }

  void stall(Stall stall) {
    if (!stalls.contains(stall)) {
      stalls.add(stall);
    }
  }

  List<ChunkMove> moves() {
    return moves;
  }

  List<Stall> stalls() {
    return stalls;
  }
}
