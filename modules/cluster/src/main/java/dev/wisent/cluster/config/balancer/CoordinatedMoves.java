package dev.wisent.cluster.config.balancer;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Scheduler;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.migration.DonorSplits;
import dev.wisent.cluster.config.migration.MoveRange;
import dev.wisent.cluster.config.migration.MoveRangeCoordinator;
import dev.wisent.cluster.coordinator.Coordinators;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.balance.ChunkMove;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Moves ranges and databases by coordinators, which go on with the next primary. */
final class CoordinatedMoves implements ChunkMoves {
  /** How long the donor may take to find out where a range is cut. */
  private static final long CUT_MILLIS_MAX = TimeUnit.MINUTES.toMillis(2);

  /** A range that is cut needs one; one that was too large is split into a few parts. */
  private static final int POINTS_MAX = 8;

  private final ClusterMetadata metadata;
  private final Coordinators coordinators;
  private final ChunkMarks marks;
  private final Scheduler scheduler;
  private final DonorSplits splits;

  CoordinatedMoves(
      ClusterMetadata metadata, Coordinators coordinators, ChunkMarks marks, Scheduler scheduler) {
    this.metadata = metadata;
    this.marks = marks;
    this.coordinators = coordinators;
    this.scheduler = scheduler;
    this.splits = new DonorSplits(metadata);
  }

  @Override
  public CompletableFuture<RawDocument> start(ChunkMove move, Options options) {
    var outcome = new CompletableFuture<RawDocument>();
    inBackground(outcome, () -> begin(move, request(move, options), outcome));
    return outcome;
  }

  /** Runs a part of a migration; where it fails, the migration has. */
  private void inBackground(CompletableFuture<RawDocument> outcome, Runnable part) {
    scheduler.run(
        "balancer-move",
        () -> {
          try {
            part.run();
          } catch (CommandException e) {
            outcome.completeExceptionally(e);
          } catch (RuntimeException e) {
            outcome.completeExceptionally(
                new CommandException(ErrorCode.INTERNAL_ERROR, String.valueOf(e)));
          }
        });
  }

  private void begin(ChunkMove move, MoveRange request, CompletableFuture<RawDocument> outcome) {
    var unused =
        coordinators
            .start(MoveRangeCoordinator.TYPE, request.resource(), request.toDocument())
            .whenComplete(
                (result, failure) -> {
                  if (failure == null) {
                    outcome.complete(result);
                  } else if (isTooLarge(failure)) {
                    inBackground(
                        outcome,
                        () -> {
                          // Before the balancer looks at the chunks again.
                          mark(move, request);
                          outcome.completeExceptionally(failure);
                        });
                  } else {
                    outcome.completeExceptionally(failure);
                  }
                });
  }

  private static boolean isTooLarge(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof CommandException e && e.code() == ErrorCode.CHUNK_TOO_BIG;
  }

  private void mark(ChunkMove move, MoveRange request) {
    OperationContext operation = OperationContext.internal(metadata.clock());
    operation.limitMillis(CUT_MILLIS_MAX);
    RawDocument found = metadata.store().findById(operation, "collections", request.namespace());
    if (found == null) {
      return;
    }
    List<RawDocument> points =
        splits.points(
            operation,
            CollectionDocument.of(found),
            move.from(),
            request.range(),
            move.chunkBytes() / 2,
            POINTS_MAX);
    marks.tooLarge(operation, request.namespace(), request.range(), points);
  }

  private MoveRange request(ChunkMove move, Options options) {
    OperationContext operation = OperationContext.internal(metadata.clock());
    operation.limitMillis(CUT_MILLIS_MAX);
    String namespace = move.namespace().full();
    RawDocument found = metadata.store().findById(operation, "collections", namespace);
    if (found == null) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_SHARDED, "Collection " + namespace + " is not sharded");
    }
    CollectionDocument collection = CollectionDocument.of(found);
    ChunkRange range = move.forceJumbo() ? move.range() : cut(operation, collection, move);
    return new MoveRange(
        namespace,
        collection.uuid(),
        range,
        move.from(),
        move.to(),
        move.chunkBytes(),
        move.forceJumbo(),
        options.waitForDelete());
  }

  /** The beginning of a range that has more than what is to be moved; otherwise the range. */
  private ChunkRange cut(
      OperationContext operation, CollectionDocument collection, ChunkMove move) {
    List<RawDocument> points =
        splits.points(operation, collection, move.from(), move.range(), move.bytes(), POINTS_MAX);
    return points.isEmpty() ? move.range() : new ChunkRange(move.range().min(), points.getFirst());
  }

  @Override
  public CompletableFuture<RawDocument> startMoveCollection(Namespace namespace, String to) {
    return coordinators.start(
        "moveCollection",
        namespace.full(),
        new BsonBuilder().appendString("toShard", to).toDocument());
  }

  @Override
  public CompletableFuture<RawDocument> startMovePrimary(String database, String to) {
    return coordinators.start(
        "movePrimary", database, new BsonBuilder().appendString("to", to).toDocument());
  }
}
