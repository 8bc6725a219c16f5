package dev.wisent.server.command.table;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.NodeRole.ALL_ROLES;
import static dev.wisent.server.command.NodeRole.STORING_ROLES;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onAnyCollection;
import static dev.wisent.server.privilege.Privilege.onArguments;
import static dev.wisent.server.privilege.Privilege.onCluster;
import static dev.wisent.server.privilege.Privilege.onCollection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandSpec;
import java.util.List;

/** Commands that MongoDB has and that this server knows but does not do yet. */
final class RefusedCommands {
  private RefusedCommands() {}

  static List<CommandSpec> all() {
    return List.of(
        refused("autoCompact")
            .scope(STORING_ROLES, NO_API, onCluster(Action.COMPACT), NO_TRANSACTION)
            .onAdmin(),
        refused("cleanupOrphaned")
            .scope(STORING_ROLES, NO_API, onCluster(Action.CLEANUP_ORPHANED), NO_TRANSACTION)
            .onAdmin(),
        refused("dbCheck")
            .scope(STORING_ROLES, NO_API, onCollection(Action.DB_CHECK), NO_TRANSACTION),
        refused("filemd5").scope(ALL_ROLES, NO_API, onCollection(Action.FIND), NO_TRANSACTION),
        refused("flushRouterConfig")
            .scope(ALL_ROLES, NO_API, onCluster(Action.FLUSH_ROUTER_CONFIG), NO_TRANSACTION)
            .onAdmin(),
        refused("getShardVersion")
            .scope(ALL_ROLES, NO_API, onCollection(Action.GET_SHARD_VERSION), NO_TRANSACTION)
            .onAdmin(),
        refused("mergeChunks")
            .scope(ALL_ROLES, NO_API, onCollection(Action.SPLIT_CHUNK), NO_TRANSACTION)
            .onAdmin(),
        refused("removeQuerySettings")
            .scope(ALL_ROLES, NO_API, onCluster(Action.QUERY_SETTINGS), NO_TRANSACTION)
            .onAdmin(),
        refused("rotateFTDC")
            .scope(
                ALL_ROLES,
                NO_API,
                onCluster(Action.REPL_SET_GET_STATUS, Action.SERVER_STATUS),
                NO_TRANSACTION)
            .onAdmin(),
        refused("setIndexCommitQuorum")
            .scope(ALL_ROLES, NO_API, onCollection(Action.CREATE_INDEX), NO_TRANSACTION),
        refused("setProfilingFilterGlobally")
            .scope(ALL_ROLES, NO_API, onAnyCollection(Action.ENABLE_PROFILER), NO_TRANSACTION)
            .onAdmin(),
        refused("setQuerySettings")
            .scope(ALL_ROLES, NO_API, onCluster(Action.QUERY_SETTINGS), NO_TRANSACTION)
            .onAdmin(),
        refused("setUserWriteBlockMode")
            .scope(ALL_ROLES, NO_API, onCluster(Action.SET_USER_WRITE_BLOCK_MODE), NO_TRANSACTION)
            .onAdmin(),
        refused("startRecordingTraffic")
            .scope(ALL_ROLES, NO_API, onCluster(Action.TRAFFIC_RECORD), NO_TRANSACTION)
            .onAdmin(),
        refused("startXRayLogging")
            .scope(ALL_ROLES, NO_API, onCluster(Action.INTERNAL), NO_TRANSACTION)
            .onAdmin(),
        refused("stopRecordingTraffic")
            .scope(ALL_ROLES, NO_API, onCluster(Action.TRAFFIC_RECORD), NO_TRANSACTION)
            .onAdmin(),
        refused("stopXRayLogging")
            .scope(ALL_ROLES, NO_API, onCluster(Action.INTERNAL), NO_TRANSACTION)
            .onAdmin(),
        refused("validateDBMetadata")
            .scope(ALL_ROLES, NO_API, onArguments(Action.VALIDATE), NO_TRANSACTION));
  }

  private static CommandSpec.Draft refused(String name) {
    return CommandSpec.of(
        name,
        CommandKind.ADMIN,
        "not supported yet",
        (request, context, reply) -> {
          throw new CommandException(
              ErrorCode.NOT_IMPLEMENTED, "the command " + name + " is not supported yet");
        });
  }
}
