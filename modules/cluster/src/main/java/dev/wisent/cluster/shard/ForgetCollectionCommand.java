package dev.wisent.cluster.shard;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code _shardsvrForgetCollection}: a collection is sharded no longer. */
final class ForgetCollectionCommand implements Command {
  private final Ownership ownership;
  private final TableWriter tables;

  ForgetCollectionCommand(Ownership ownership, TableWriter tables) {
    this.ownership = ownership;
    this.tables = tables;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = ShardArguments.namespace(request);
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "id" -> {}
        default -> reader.unknown();
      }
    }
    ShardArguments.requireShard(ownership);
    tables.forget(context.operation(), namespace);
  }
}
