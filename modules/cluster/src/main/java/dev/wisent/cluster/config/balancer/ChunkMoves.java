package dev.wisent.cluster.config.balancer;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.balance.ChunkMove;
import java.util.concurrent.CompletableFuture;

/** Carries out what the balancer has decided. */
public interface ChunkMoves {
  /**
   * How ranges move.
   *
   * @param waitForDelete whether a migration ends when the donor has deleted the range
   */
  record Options(boolean waitForDelete) {}

  /**
   * Begins a migration. It goes on also if the balancer does not wait for it, and with the next
   * primary. The future fails with a {@link dev.wisent.base.CommandException}.
   */
  CompletableFuture<RawDocument> start(ChunkMove move, Options options);

  /** Begins to move a collection that is not sharded. */
  CompletableFuture<RawDocument> startMoveCollection(Namespace namespace, String to);

  /** Begins to make another shard the primary of a database. */
  CompletableFuture<RawDocument> startMovePrimary(String database, String to);
}
