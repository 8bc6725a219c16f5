package dev.wisent.cluster.router;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.Chunk;
import dev.wisent.sharding.RoutingCatalog;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code moveChunk} and {@code moveRange}: the config servers have it moved. */
final class MoveCommands {
  private final RoutingCatalog catalog;
  private final ShardCalls calls;

  MoveCommands(RoutingCatalog catalog, ShardCalls calls) {
    this.catalog = catalog;
    this.calls = calls;
  }

  /** The arguments of both. */
  private static final class Arguments {
    private final Namespace namespace;
    private final boolean ofChunk;
    private RawDocument find;
    private List<RawDocument> bounds;
    private RawDocument min;
    private RawDocument max;
    private String to;
    private boolean forced;
    private boolean deletes;
    private long bytesMax;

    Arguments(CommandRequest request, boolean ofChunk) {
      this.ofChunk = ofChunk;
      this.namespace =
          Namespace.parse(
              ArgumentTypes.string(request.name() + "." + request.name(), request.argument()));
      ArgumentReader reader = ArgumentReader.of(request);
      while (reader.next()) {
        if (!readCommon(reader) && !(ofChunk ? readOfChunk(reader) : readOfRange(reader))) {
          reader.unknown();
        }
      }
      if (to == null) {
        throw ArgumentTypes.missing(request.name() + (ofChunk ? ".to" : ".toShard"));
      }
    }

    private boolean readCommon(ArgumentReader reader) {
      switch (reader.name()) {
        case "waitForDelete", "_waitForDelete" -> deletes = reader.bool();
        // Each document is on a majority before the next is sent, whatever is said here.
        case "secondaryThrottle", "_secondaryThrottle" -> reader.bool();
        case "forceJumbo" -> forced = isForced(reader.value());
        default -> {
          return false;
        }
      }
      return true;
    }

    private static boolean isForced(RawValue value) {
      return value.isString() ? !value.asString().equals("doNotForce") : value.isTruthy();
    }

    private boolean readOfChunk(ArgumentReader reader) {
      switch (reader.name()) {
        case "find" -> find = reader.document();
        case "bounds" -> bounds = reader.documents();
        case "to" -> to = reader.string();
        case "maxChunkSizeBytes" -> bytesMax = reader.nonNegative();
        default -> {
          return false;
        }
      }
      return true;
    }

    private boolean readOfRange(ArgumentReader reader) {
      switch (reader.name()) {
        case "min" -> min = reader.document();
        case "max" -> max = reader.document();
        case "toShard" -> to = reader.string();
        default -> {
          return false;
        }
      }
      return true;
    }
  }

  void moveChunk(CommandRequest request, CommandContext context, BsonBuilder reply) {
    var given = new Arguments(request, true);
    if ((given.find == null) == (given.bounds == null)) {
      throw ChunkLookup.invalid(
          given.find == null
              ? "need to specify find/bounds"
              : "cannot specify bounds and find at the same time");
    }
    requireShard(context.operation(), given);
    var chunks = new ChunkLookup(catalog, context.operation(), given.namespace);
    Chunk chunk = given.find == null ? chunks.of(given.bounds) : chunks.of(given.find);
    given.min = chunk.range().min();
    given.max = chunk.range().max();
    run(context.operation(), given, reply);
  }

  void moveRange(CommandRequest request, CommandContext context, BsonBuilder reply) {
    var given = new Arguments(request, false);
    if (given.min == null && given.max == null) {
      throw ChunkLookup.invalid("At least one of 'min' or 'max' must be specified");
    }
    requireShard(context.operation(), given);
    run(context.operation(), given, reply);
  }

  private void requireShard(OperationContext operation, Arguments given) {
    try {
      catalog.shard(operation, given.to);
    } catch (CommandException e) {
      if (e.code() != ErrorCode.SHARD_NOT_FOUND) {
        throw e;
      }
      throw new CommandException(
          ErrorCode.SHARD_NOT_FOUND,
          "Could not move chunk in '%s' to shard '%s' because that shard does not exist"
              .formatted(given.namespace, given.to));
    }
  }

  private void run(OperationContext operation, Arguments given, BsonBuilder reply) {
    long start = operation.clock().monotonicNanos();
    var command = new BsonBuilder().appendString("_configsvrMoveRange", given.namespace.full());
    if (given.min != null) {
      command.appendDocument("min", given.min);
    }
    if (given.max != null) {
      command.appendDocument("max", given.max);
    }
    command.appendString("toShard", given.to).appendBoolean("forceJumbo", given.forced);
    command.appendBoolean("waitForDelete", given.deletes);
    if (given.bytesMax > 0) {
      command.appendInt64("maxChunkSizeBytes", given.bytesMax);
    }
    try {
      calls.call(operation, ShardRequest.configChange(command));
    } finally {
      catalog.staleCollection(given.namespace, null);
    }
    if (given.ofChunk) {
      long nanos = operation.clock().monotonicNanos() - start;
      reply.appendInt64("millis", TimeUnit.NANOSECONDS.toMillis(nanos));
    }
  }
}
