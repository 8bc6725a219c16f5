package dev.wisent.cluster.router;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onCluster;
import static dev.wisent.server.privilege.Privilege.onCollection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.privilege.Privilege;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Commands of routers that MongoDB has and that are not there yet. */
final class PlannedCommands {
  private PlannedCommands() {}

  static List<CommandSpec> all() {
    return names().entrySet().stream().map(row -> refused(row.getKey(), row.getValue())).toList();
  }

  private static Map<String, Privilege> names() {
    var rows = new LinkedHashMap<String, Privilege>();
    rows.put("resetPlacementHistory", onCluster(Action.INTERNAL));
    rows.put("repairShardedCollectionChunksHistory", onCluster(Action.INTERNAL));
    rows.put("recreateRangeDeletionTasks", onCollection(Action.MOVE_CHUNK));
    return rows;
  }

  private static CommandSpec refused(String name, Privilege privilege) {
    return CommandSpec.of(
            name,
            CommandKind.ADMIN,
            "not supported yet",
            (request, context, reply) -> {
              throw new CommandException(
                  ErrorCode.NOT_IMPLEMENTED, "the command " + name + " is not supported yet");
            })
        .scope(Set.of(NodeRole.ROUTER), NO_API, privilege, NO_TRANSACTION)
        .onAdmin();
  }
}
