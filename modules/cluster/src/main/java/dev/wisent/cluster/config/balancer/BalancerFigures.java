package dev.wisent.cluster.config.balancer;

import dev.wisent.bson.BsonBuilder;
import java.util.concurrent.atomic.AtomicLong;

/** What the balancer of this process has done, for {@code serverStatus}. Thread-safe. */
public final class BalancerFigures {
  final AtomicLong rounds = new AtomicLong();
  final AtomicLong roundsFailed = new AtomicLong();
  final AtomicLong roundMillis = new AtomicLong();
  final AtomicLong movesStarted = new AtomicLong();
  final AtomicLong movesDone = new AtomicLong();
  final AtomicLong movesFailed = new AtomicLong();

  /** Of chunks that something else has changed since the round began. */
  final AtomicLong movesOutdated = new AtomicLong();

  final AtomicLong collectionsMoved = new AtomicLong();
  final AtomicLong primariesMoved = new AtomicLong();
  final AtomicLong chunksMerged = new AtomicLong();
  final AtomicLong imbalanced = new AtomicLong();
  final AtomicLong stalls = new AtomicLong();

  /** Collections whose metadata the last round could not read. */
  final AtomicLong skipped = new AtomicLong();

  BalancerFigures() {}

  /** The section {@code balancer}. */
  public void append(boolean inRound, BsonBuilder out) {
    out.appendBoolean("inBalancerRound", inRound);
    out.appendInt64("numBalancerRounds", rounds.get());
    out.appendInt64("numFailedRounds", roundsFailed.get());
    out.appendInt64("totalRoundTimeMillis", roundMillis.get());
    out.appendInt64("numMigrationsStarted", movesStarted.get());
    out.appendInt64("numMigrationsSucceeded", movesDone.get());
    out.appendInt64("numMigrationsFailed", movesFailed.get());
    out.appendInt64("numMigrationsOutdated", movesOutdated.get());
    out.appendInt64("numCollectionsMoved", collectionsMoved.get());
    out.appendInt64("numPrimariesMoved", primariesMoved.get());
    out.appendInt64("numChunksMerged", chunksMerged.get());
    out.appendInt64("imbalancedCollections", imbalanced.get());
    out.appendInt64("stalledCollections", stalls.get());
    out.appendInt64("skippedCollections", skipped.get());
  }
}
