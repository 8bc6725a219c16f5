package dev.wisent.cluster.config.balancer;

import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.cluster.config.metadata.MovedCollections;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.balance.ClusterLoad;
import dev.wisent.sharding.balance.ShardLoad;
import java.util.Optional;

/**
 * Has unsharded collections that were moved to a draining shard leave it: each goes to the shard
 * with the least data. One collection of a shard in a round. Of the thread of the balancer.
 */
final class DrainedCollections {
  private final CatalogStore store;
  private final DrainingMoves moves;

  DrainedCollections(CatalogStore store, DrainingMoves moves) {
    this.store = store;
    this.moves = moves;
  }

  /** How many it has moved. */
  int move(OperationContext operation, ClusterLoad load) {
    Optional<ShardLoad> to = DrainingMoves.leastData(load);
    boolean drains = load.shards().stream().anyMatch(ShardLoad::draining);
    if (!drains || to.isEmpty()) {
      return 0;
    }
    int moved = 0;
    for (ShardLoad shard : load.shards()) {
      if (shard.draining() && shard.reachable()) {
        moved += moveOne(operation, shard.name(), to.get().name()) ? 1 : 0;
      }
    }
    return moved;
  }

  private boolean moveOne(OperationContext operation, String from, String to) {
    for (Namespace namespace : MovedCollections.on(operation, store, from)) {
      if (!moves.isHeld(namespace)) {
        return moves.moveCollection(operation, namespace, from, to);
      }
    }
    return false;
  }
}
