package dev.wisent.cluster.config.balancer;

import dev.wisent.base.CommandException;
import dev.wisent.base.log.Log;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.cluster.coordinator.Coordinators;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.BalancerParameters;
import dev.wisent.sharding.balance.BalancePlan;
import dev.wisent.sharding.balance.ClusterLoad;
import dev.wisent.sharding.balance.MoveReason;
import dev.wisent.sharding.balance.ShardLoad;
import java.util.Comparator;
import java.util.Optional;

/**
 * Has the databases leave draining shards when their chunks have: each goes to the shard with the
 * least data. One database of a round: its writers wait meanwhile. Of the thread of the balancer.
 */
final class DrainedDatabases {
  private static final int MOVED_LOG_ID = 9_000_563;
  private static final int FAILED_LOG_ID = 9_000_564;

  private final CatalogStore store;
  private final ChunkMoves moves;
  private final FailedMoves failed;
  private final BalancerParameters parameters;
  private final BalancerFigures figures;
  private final Log log;

  DrainedDatabases(
      CatalogStore store,
      ChunkMoves moves,
      FailedMoves failed,
      BalancerParameters parameters,
      BalancerFigures figures,
      Log log) {
    this.store = store;
    this.moves = moves;
    this.failed = failed;
    this.parameters = parameters;
    this.figures = figures;
    this.log = log;
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
    Optional<ShardLoad> to =
        load.shards().stream()
            .filter(shard -> shard.reachable() && !shard.draining())
            .filter(shard -> shard.maxBytes() == 0 || shard.dataBytes() < shard.maxBytes())
            .min(Comparator.comparingLong(ShardLoad::dataBytes));
    for (RawDocument database :
        store.find(operation, "databases", filter("primary", from.name()))) {
      String name = database.get("_id").asString();
      var key = new Namespace(name, "");
      if (to.isPresent() && !failed.isHeld(key, RawDocument.EMPTY)) {
        return move(operation, key, from.name(), to.get().name());
      }
    }
    return false;
  }

  private boolean move(OperationContext operation, Namespace database, String from, String to) {
    try {
      var unused = Coordinators.await(operation, moves.startMovePrimary(database.database(), to));
    } catch (CommandException e) {
      operation.checkNow();
      failed.failed(database, RawDocument.EMPTY);
      log.warn(
          FAILED_LOG_ID,
          "A database could not leave a draining shard",
          "database",
          database.database(),
          "from",
          from,
          "to",
          to,
          "error",
          e.getMessage());
      return false;
    }
    figures.primariesMoved.incrementAndGet();
    log.info(
        MOVED_LOG_ID,
        "A database has left a draining shard",
        "database",
        database.database(),
        "from",
        from,
        "to",
        to);
    return true;
  }
}
