package dev.wisent.cluster.config.balancer;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.BalancerParameters;
import dev.wisent.sharding.balance.ClusterLoad;
import dev.wisent.sharding.balance.ShardLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Has the databases leave draining shards when their chunks have: each goes to the shard with the
 * least data. One database of a shard in a round: its writers wait meanwhile. Of the thread of the
 * balancer.
 */
final class DrainedDatabases {
  private final CatalogStore store;
  private final DrainingMoves moves;
  private final BalancerParameters parameters;

  DrainedDatabases(CatalogStore store, DrainingMoves moves, BalancerParameters parameters) {
    this.store = store;
    this.moves = moves;
    this.parameters = parameters;
  }

  /** The moves that have begun. */
  List<CompletableFuture<RawDocument>> move(OperationContext operation, ClusterLoad load) {
    var begun = new ArrayList<CompletableFuture<RawDocument>>();
    if (!parameters.movesDrainedDatabases()) {
      return begun;
    }
    for (ShardLoad shard : load.shards()) {
      if (shard.draining() && moves.isFree(shard) && hasNoChunks(operation, shard.name())) {
        store.find(operation, "databases", filter("primary", shard.name())).stream()
            .map(database -> new Namespace(database.get("_id").asString(), ""))
            .filter(moves::mayMove)
            .findFirst()
            .flatMap(database -> moves.start(database, shard.name()))
            .ifPresent(begun::add);
      }
    }
    return begun;
  }

  private boolean hasNoChunks(OperationContext operation, String shard) {
    return store.findOne(operation, "chunks", filter("shard", shard)) == null;
  }

  private static RawDocument filter(String field, String value) {
    return new BsonBuilder().appendString(field, value).toDocument();
  }
}
