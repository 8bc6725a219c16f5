package dev.wisent.cluster.router;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onCluster;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import java.util.List;
import java.util.Set;

/** Commands of routers that mend what MongoDB stores, and that have nothing to do here. */
final class NeedlessCommands {
  private NeedlessCommands() {}

  static List<CommandSpec> all() {
    return List.of(
        refused(
            "resetPlacementHistory",
            "there is no config.placementHistory: change streams follow the list of shards"),
        refused(
            "repairShardedCollectionChunksHistory",
            "every chunk has a history from its creation on"));
  }

  private static CommandSpec refused(String name, String reason) {
    return CommandSpec.of(
            name,
            CommandKind.ADMIN,
            "not supported yet",
            (request, context, reply) -> {
              throw new CommandException(
                  ErrorCode.NOT_IMPLEMENTED,
                  "the command %s is not supported: %s".formatted(name, reason));
            })
        .scope(Set.of(NodeRole.ROUTER), NO_API, onCluster(Action.INTERNAL), NO_TRANSACTION)
        .onAdmin();
  }
}
