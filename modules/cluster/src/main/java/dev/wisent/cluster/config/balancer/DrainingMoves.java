package dev.wisent.cluster.config.balancer;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.Log;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.coordinator.Coordinators;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.balance.ClusterLoad;
import dev.wisent.sharding.balance.ShardLoad;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Moves databases and unsharded collections away from draining shards. What could not be moved is
 * left alone for a while. A move that takes long goes on beside the next rounds; its shards take
 * part in no other one of this kind meanwhile. Of the thread of the balancer.
 */
final class DrainingMoves {
  private static final int MOVED_LOG_ID = 9_000_563;
  private static final int FAILED_LOG_ID = 9_000_564;

  private final ChunkMoves moves;
  private final FailedMoves failed;
  private final BalancerFigures figures;
  private final Log log;

  /** The moves that have not ended, also those of earlier rounds. Read by any thread. */
  private final Map<Departure, CompletableFuture<RawDocument>> unfinished =
      new ConcurrentHashMap<>();

  private ClusterLoad load = new ClusterLoad(List.of(), List.of());
  private InUse inUse = new InUse();

  /**
   * What leaves a shard.
   *
   * @param namespace without a collection for a database
   */
  private record Departure(Namespace namespace, String from, String to) {
    boolean isDatabase() {
      return namespace.collection().isEmpty();
    }

    String name() {
      return isDatabase() ? namespace.database() : namespace.full();
    }
  }

  DrainingMoves(ChunkMoves moves, FailedMoves failed, BalancerFigures figures, Log log) {
    this.moves = moves;
    this.failed = failed;
    this.figures = figures;
    this.log = log;
  }

  /**
   * Begins with a round.
   *
   * @param used by what else is under way; this class adds its own
   */
  void begin(ClusterLoad load, InUse used) {
    this.load = load;
    this.inUse = used;
    unfinished.keySet().forEach(this::use);
  }

  private void use(Departure departure) {
    inUse.shards().add(departure.from);
    inUse.shards().add(departure.to);
    inUse.add(departure.name());
  }

  /** Whether something can leave a shard in this round. */
  boolean isFree(ShardLoad shard) {
    return shard.reachable() && !inUse.shards().contains(shard.name());
  }

  /** Whether a collection or database can be moved now: no move of it has failed not long ago. */
  boolean mayMove(Namespace namespace) {
    return !inUse.has(namespace) && !failed.isHeld(namespace, RawDocument.EMPTY);
  }

  /**
   * Begins to move a collection or database to the shard with the least data. Empty where all are
   * full, away, draining or in use.
   *
   * @param namespace without a collection for a database
   */
  Optional<CompletableFuture<RawDocument>> start(Namespace namespace, String from) {
    Optional<ShardLoad> to =
        load.shards().stream()
            .filter(shard -> isFree(shard) && !shard.draining())
            .filter(shard -> shard.maxBytes() == 0 || shard.dataBytes() < shard.maxBytes())
            .min(Comparator.comparingLong(ShardLoad::dataBytes));
    return to.map(shard -> start(new Departure(namespace, from, shard.name())));
  }

  private CompletableFuture<RawDocument> start(Departure departure) {
    CompletableFuture<RawDocument> begun;
    try {
      begun =
          departure.isDatabase()
              ? moves.startMovePrimary(departure.namespace.database(), departure.to)
              : moves.startMoveCollection(departure.namespace, departure.to);
    } catch (CommandException e) {
      begun = CompletableFuture.failedFuture(e);
    } catch (RuntimeException e) {
      begun =
          CompletableFuture.failedFuture(
              new CommandException(ErrorCode.INTERNAL_ERROR, e.toString()));
    }
    use(departure);
    unfinished.put(departure, begun);
    return begun;
  }

  /** Whether a database is on its way: a migration of its collections would wait for that. */
  boolean isLeaving(String database) {
    return unfinished.keySet().stream()
        .anyMatch(each -> each.isDatabase() && each.namespace.database().equals(database));
  }

  /** Those that have not ended; by any thread. */
  List<CompletableFuture<RawDocument>> unfinished() {
    return List.copyOf(unfinished.values());
  }

  /** Notes what has come of those that have ended; returns how many have left. */
  int takeEnded(OperationContext operation) {
    int left = 0;
    for (Map.Entry<Departure, CompletableFuture<RawDocument>> each :
        List.copyOf(unfinished.entrySet())) {
      if (each.getValue().isDone()) {
        unfinished.remove(each.getKey());
        left += hasLeft(operation, each.getKey(), each.getValue()) ? 1 : 0;
      }
    }
    return left;
  }

  private boolean hasLeft(
      OperationContext operation, Departure departure, CompletableFuture<RawDocument> ended) {
    try {
      var unused = Coordinators.await(operation, ended);
    } catch (CommandException e) {
      operation.checkNow();
      failed.failed(departure.namespace, RawDocument.EMPTY);
      log.warn(
          FAILED_LOG_ID,
          "A database or unsharded collection could not leave a draining shard",
          "namespace",
          departure.name(),
          "from",
          departure.from,
          "to",
          departure.to,
          "error",
          e.getMessage());
      return false;
    }
    (departure.isDatabase() ? figures.primariesMoved : figures.collectionsMoved).incrementAndGet();
    log.info(
        MOVED_LOG_ID,
        "A database or unsharded collection has left a draining shard",
        "namespace",
        departure.name(),
        "from",
        departure.from,
        "to",
        departure.to);
    return true;
  }

  /** A new term begins. */
  void clear() {
    unfinished.clear();
  }
}
