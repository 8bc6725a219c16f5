package dev.wisent.cluster.shard;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code _addShard}: tells a node which shard of which cluster it is from now on. */
final class IdentifyShardCommand implements Command {
  private final TableWriter tables;

  IdentifyShardCommand(TableWriter tables) {
    this.tables = tables;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ShardIdentity identity = null;
    boolean anew = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "shardIdentity" -> identity = ShardIdentity.parse(reader.path(), reader.document());
        case "anew" -> anew = reader.bool();
        default -> reader.unknown();
      }
    }
    if (identity == null) {
      throw ArgumentTypes.missing("_addShard.shardIdentity");
    }
    tables.identify(context.operation(), identity.toDocument(), anew);
  }
}
