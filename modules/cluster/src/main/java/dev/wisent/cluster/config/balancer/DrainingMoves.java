package dev.wisent.cluster.config.balancer;

import dev.wisent.base.CommandException;
import dev.wisent.base.log.Log;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.coordinator.Coordinators;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.balance.ClusterLoad;
import dev.wisent.sharding.balance.ShardLoad;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Moves databases and unsharded collections away from draining shards. What could not be moved is
 * left alone for a while. Of the thread of the balancer.
 */
final class DrainingMoves {
  private static final int MOVED_LOG_ID = 9_000_563;
  private static final int FAILED_LOG_ID = 9_000_564;

  private final ChunkMoves moves;
  private final FailedMoves failed;
  private final BalancerFigures figures;
  private final Log log;

  DrainingMoves(ChunkMoves moves, FailedMoves failed, BalancerFigures figures, Log log) {
    this.moves = moves;
    this.failed = failed;
    this.figures = figures;
    this.log = log;
  }

  /** The shard that takes what leaves others; none where all are full, away or draining. */
  static Optional<ShardLoad> leastData(ClusterLoad load) {
    return load.shards().stream()
        .filter(shard -> shard.reachable() && !shard.draining())
        .filter(shard -> shard.maxBytes() == 0 || shard.dataBytes() < shard.maxBytes())
        .min(Comparator.comparingLong(ShardLoad::dataBytes));
  }

  /** Whether a move of it has failed not long ago. */
  boolean isHeld(Namespace namespace) {
    return failed.isHeld(namespace, RawDocument.EMPTY);
  }

  /** Returns whether the collection has left. */
  boolean moveCollection(OperationContext operation, Namespace namespace, String from, String to) {
    return await(
        operation,
        namespace,
        from,
        to,
        () -> moves.startMoveCollection(namespace, to),
        figures.collectionsMoved);
  }

  /**
   * Returns whether the database has left.
   *
   * @param database without a collection
   */
  boolean moveDatabase(OperationContext operation, Namespace database, String from, String to) {
    return await(
        operation,
        database,
        from,
        to,
        () -> moves.startMovePrimary(database.database(), to),
        figures.primariesMoved);
  }

  private boolean await(
      OperationContext operation,
      Namespace namespace,
      String from,
      String to,
      Supplier<CompletableFuture<RawDocument>> move,
      AtomicLong moved) {
    String name = namespace.collection().isEmpty() ? namespace.database() : namespace.full();
    try {
      var unused = Coordinators.await(operation, move.get());
    } catch (CommandException e) {
      operation.checkNow();
      failed.failed(namespace, RawDocument.EMPTY);
      log.warn(
          FAILED_LOG_ID,
          "A database or unsharded collection could not leave a draining shard",
          "namespace",
          name,
          "from",
          from,
          "to",
          to,
          "error",
          e.getMessage());
      return false;
    }
    moved.incrementAndGet();
    log.info(
        MOVED_LOG_ID,
        "A database or unsharded collection has left a draining shard",
        "namespace",
        name,
        "from",
        from,
        "to",
        to);
    return true;
  }
}
