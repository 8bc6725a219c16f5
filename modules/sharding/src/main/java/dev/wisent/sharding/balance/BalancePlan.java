package dev.wisent.sharding.balance;

import java.util.List;

/**
 * The migrations of a round. Each shard takes part in at most one, so that all can run at the same
 * time.
 *
 * @param imbalanced how many collections have something to move, now or later
 */
public record BalancePlan(List<ChunkMove> moves, List<Stall> stalls, int imbalanced) {
  public BalancePlan {
    moves = List.copyOf(moves);
    stalls = List.copyOf(stalls);
  }
}
