package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.cluster.config.balancer.ChunkMerges;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.metadata.ShardPrimaries;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.concurrent.TimeUnit;

/** {@code _configsvrMergeAllChunksOnShard}: merges all neighbours that a shard has. */
public final class MergeAllChunksCommand implements Command {
  private final ClusterMetadata metadata;
  private final ChunkMerges merges;

  public MergeAllChunksCommand(ClusterMetadata metadata, ChunkMerges merges) {
    this.metadata = metadata;
    this.merges = merges;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String namespace = ArgumentTypes.string(request.pathOfArgument(), request.argument());
    String shard = null;
    long chunksMax = Integer.MAX_VALUE;
    long millisMax = Integer.MAX_VALUE;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "shard" -> shard = reader.string();
        case "maxNumberOfChunksToMerge" -> chunksMax = above(reader, 1);
        case "maxTimeProcessingChunksMS" -> millisMax = above(reader, 0);
        default -> reader.unknown();
      }
    }
    if (shard == null) {
      throw ArgumentTypes.missing(request.nameInErrors() + ".shard");
    }
    OperationContext operation = context.operation();
    if (metadata.store().findById(operation, CatalogReads.SHARDS, shard) == null) {
      throw ShardPrimaries.shardNotFound(shard);
    }
    // What is merged when the time is over stays merged.
    OperationContext limited = OperationContext.internal(metadata.clock());
    limited.limitMillis(operation.millisLeft(Math.min(millisMax, TimeUnit.DAYS.toMillis(1))));
    limited.stopCheck(operation::checkNow);
    try {
      merges.merge(limited, namespace, shard, new ChunkMerges.Bounds(chunksMax, chunksMax - 1));
    } catch (CommandException e) {
      operation.checkNow();
      if (e.code() != ErrorCode.MAX_TIME_MS_EXPIRED) {
        throw e;
      }
    }
  }

  private static long above(ArgumentReader reader, long least) {
    long value = reader.wholeNumber();
    if (value <= least) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "BSON field '%s' value must be > %d, actual value '%d'"
              .formatted(reader.path(), least, value));
    }
    return value;
  }
}
