package dev.wisent.cluster.shard;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.cluster.shard.range.OrphanTasks;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.Namespace;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.ApiVersions;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.TransactionUse;
import dev.wisent.server.privilege.Privilege;
import java.util.UUID;

/** {@code _shardsvrRecreateRangeDeletionTasks}: what this shard does not own is to be deleted. */
final class RecreateDeletionTasksCommand implements Command {
  private final Ownership ownership;
  private final OrphanTasks tasks;

  RecreateDeletionTasksCommand(Ownership ownership, OrphanTasks tasks) {
    this.ownership = ownership;
    this.tasks = tasks;
  }

  static CommandSpec row(Ownership ownership, OrphanTasks tasks) {
    return CommandSpec.of(
            "_shardsvrRecreateRangeDeletionTasks",
            CommandKind.WRITE,
            "delete what is not owned of a collection",
            new RecreateDeletionTasksCommand(ownership, tasks))
        .scope(
            NodeRole.STORING_ROLES,
            ApiVersions.NO_API,
            Privilege.onCluster(Action.INTERNAL),
            TransactionUse.NO_TRANSACTION)
        .onAdmin();
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = ShardArguments.namespace(request);
    UUID uuid = null;
    boolean skipsEmpty = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "id" -> {}
        case "uuid" -> uuid = reader.uuid();
        case "skipEmptyRanges" -> skipsEmpty = reader.bool();
        default -> reader.unknown();
      }
    }
    if (uuid == null) {
      throw ArgumentTypes.missing(request.name() + ".uuid");
    }
    ShardArguments.requireShard(ownership);
    tasks.create(namespace, uuid, skipsEmpty, context.operation());
  }
}
