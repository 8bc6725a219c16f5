package dev.wisent.cluster.config;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/**
 * {@code _configsvrRemoveShard}: starts to drain a shard, tells what it still has, and removes it
 * when nothing is left.
 */
final class RemoveShardCommand implements Command {
  private static final int REMOVED_LOG_ID = 9_000_512;

  private final ClusterMetadata metadata;
  private final ShardDraining draining;

  RemoveShardCommand(ClusterMetadata metadata) {
    this.metadata = metadata;
    this.draining = new ShardDraining(metadata);
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String name = ArgumentTypes.string(request.pathOfArgument(), request.argument());
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
    ShardDraining.Asked asked = draining.asked(request, context, name);
    if (name.equals(ConfigShard.NAME)) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "The config servers cannot be removed as a shard with removeShard: use"
              + " transitionToDedicatedConfigServer");
    }
    if (!draining.tell(context.operation(), asked, reply)) {
      reply.appendAll(remove(context.operation(), asked));
    }
  }

  private RawDocument remove(OperationContext operation, ShardDraining.Asked asked) {
    RawDocument result = ShardDraining.completed(asked.name());
    metadata
        .writer()
        .change(
            operation,
            draining.entry("removeShard", asked, result),
            change -> ShardDraining.delete(change, asked.shard(), null));
    metadata.log().info(REMOVED_LOG_ID, "Removed a shard", "shard", asked.name());
    return result;
  }
}
