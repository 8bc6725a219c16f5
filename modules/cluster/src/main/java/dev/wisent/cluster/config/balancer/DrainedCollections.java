package dev.wisent.cluster.config.balancer;

import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.cluster.config.metadata.MovedCollections;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.balance.ClusterLoad;
import dev.wisent.sharding.balance.ShardLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

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

  /** The moves that have begun. */
  List<CompletableFuture<RawDocument>> move(OperationContext operation, ClusterLoad load) {
    var begun = new ArrayList<CompletableFuture<RawDocument>>();
    for (ShardLoad shard : load.shards()) {
      if (shard.draining() && moves.isFree(shard)) {
        MovedCollections.on(operation, store, shard.name()).stream()
            .filter(moves::mayMove)
            .findFirst()
            .flatMap(namespace -> moves.start(namespace, shard.name()))
            .ifPresent(begun::add);
      }
    }
    return begun;
  }
}
