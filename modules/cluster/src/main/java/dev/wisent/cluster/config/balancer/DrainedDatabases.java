package dev.wisent.cluster.config.balancer;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.BalancerParameters;
import dev.wisent.sharding.balance.BalancePlan;
import dev.wisent.sharding.balance.ClusterLoad;
import dev.wisent.sharding.balance.MoveReason;
import dev.wisent.sharding.balance.ShardLoad;
import java.util.Optional;

/**
 * Has the databases leave draining shards when their chunks have: each goes to the shard with the
 * least data. One database of a round: its writers wait meanwhile. Of the thread of the balancer.
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

  /** How many it has moved. */
  int move(OperationContext operation, ClusterLoad load, BalancePlan plan) {
    boolean busy = plan.moves().stream().anyMatch(move -> move.reason() == MoveReason.DRAINING);
    if (busy || !parameters.movesDrainedDatabases()) {
      return 0;
    }
    int moved = 0;
    for (ShardLoad shard : load.shards()) {
      if (shard.draining() && shard.reachable() && hasNoChunks(operation, shard.name())) {
        moved += move(operation, shard, load) ? 1 : 0;
      }
    }
    return moved;
  }

  private boolean hasNoChunks(OperationContext operation, String shard) {
    return store.findOne(operation, "chunks", filter("shard", shard)) == null;
  }

  private static RawDocument filter(String field, String value) {
    return new BsonBuilder().appendString(field, value).toDocument();
  }

  private boolean move(OperationContext operation, ShardLoad from, ClusterLoad load) {
    Optional<ShardLoad> to = DrainingMoves.leastData(load);
    for (RawDocument database :
        store.find(operation, "databases", filter("primary", from.name()))) {
      String name = database.get("_id").asString();
      var key = new Namespace(name, "");
      if (to.isPresent() && !moves.isHeld(key)) {
        return moves.moveDatabase(operation, key, from.name(), to.get().name());
      }
    }
    return false;
  }
}
