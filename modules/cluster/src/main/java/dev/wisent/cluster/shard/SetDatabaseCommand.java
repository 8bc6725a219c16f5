package dev.wisent.cluster.shard;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.DatabaseVersion;

/** {@code _shardsvrSetDatabase}: this shard becomes the primary of a database, or no longer is. */
final class SetDatabaseCommand implements Command {
  private final Ownership ownership;
  private final TableWriter tables;

  SetDatabaseCommand(Ownership ownership, TableWriter tables) {
    this.ownership = ownership;
    this.tables = tables;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String database = ShardArguments.name(request);
    Namespace.checkDatabase(database);
    DatabaseVersion version = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "version" -> version = VersionArguments.database(reader.document());
        case "id" -> {}
        default -> reader.unknown();
      }
    }
    ShardArguments.requireShard(ownership);
    tables.database(context.operation(), database, version);
  }
}
