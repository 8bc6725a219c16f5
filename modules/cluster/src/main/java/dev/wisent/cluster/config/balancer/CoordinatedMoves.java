package dev.wisent.cluster.config.balancer;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Scheduler;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.metadata.DocumentFields;
import dev.wisent.cluster.config.migration.MoveRange;
import dev.wisent.cluster.config.migration.MoveRangeCoordinator;
import dev.wisent.cluster.coordinator.Coordinators;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.balance.ChunkMove;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Moves ranges and databases by coordinators, which go on with the next primary. */
final class CoordinatedMoves implements ChunkMoves {
  /** How long the donor may take to find out where a range is cut. */
  private static final long CUT_MILLIS_MAX = TimeUnit.MINUTES.toMillis(2);

  private final ClusterMetadata metadata;
  private final Coordinators coordinators;
  private final Scheduler scheduler;

  CoordinatedMoves(ClusterMetadata metadata, Coordinators coordinators, Scheduler scheduler) {
    this.metadata = metadata;
    this.coordinators = coordinators;
    this.scheduler = scheduler;
  }

  @Override
  public CompletableFuture<RawDocument> start(ChunkMove move, Options options) {
    var outcome = new CompletableFuture<RawDocument>();
    scheduler.run(
        "balancer-move",
        () -> {
          try {
            MoveRange request = request(move, options);
            var unused =
                coordinators
                    .start(MoveRangeCoordinator.TYPE, request.resource(), request.toDocument())
                    .whenComplete(
                        (result, failure) -> {
                          if (failure == null) {
                            outcome.complete(result);
                          } else {
                            outcome.completeExceptionally(failure);
                          }
                        });
          } catch (CommandException e) {
            outcome.completeExceptionally(e);
          } catch (RuntimeException e) {
            outcome.completeExceptionally(
                new CommandException(ErrorCode.INTERNAL_ERROR, String.valueOf(e)));
          }
        });
    return outcome;
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
    var command = new BsonBuilder().appendString("splitVector", move.namespace().full());
    command.appendDocument("keyPattern", collection.key());
    move.range().append(command);
    // Points are where half of the size is reached.
    command.appendInt64("maxChunkSizeBytes", 2 * move.bytes()).appendInt32("maxSplitPoints", 1);
    RawDocument reply;
    try {
      reply =
          metadata
              .shards()
              .run(operation, move.from(), move.namespace().database(), command.toDocument());
    } catch (CommandException e) {
      if (e.code() == ErrorCode.OPERATION_FAILED || e.code() == ErrorCode.NAMESPACE_NOT_FOUND) {
        // The range is empty.
        return move.range();
      }
      throw e;
    }
    List<RawDocument> points = DocumentFields.documents(reply, "splitKeys");
    return points.isEmpty()
        ? move.range()
        : new ChunkRange(move.range().min(), points.getFirst().detached());
  }

  @Override
  public CompletableFuture<RawDocument> startMovePrimary(String database, String to) {
    return coordinators.start(
        "movePrimary", database, new BsonBuilder().appendString("to", to).toDocument());
  }
}
