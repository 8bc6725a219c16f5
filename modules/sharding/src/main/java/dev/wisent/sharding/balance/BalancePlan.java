package dev.wisent.sharding.balance;

import dev.wisent.operation.Namespace;
import java.util.List;
import java.util.Map;

/**
 * The migrations of a round. Each shard takes part in at most one, so that all can run at the same
 * time.
 *
 * @param imbalanced how many collections have something to move, now or later
 * @param failures of collections whose metadata cannot be used
 */
public record BalancePlan(
    List<ChunkMove> moves,
    List<Stall> stalls,
    int imbalanced,
    Map<Namespace, RuntimeException> failures) {
  public BalancePlan {
    moves = List.copyOf(moves);
    stalls = List.copyOf(stalls);
    failures = Map.copyOf(failures);
  }
}
