package dev.wisent.server.command.table;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.ApiVersions.V1;
import static dev.wisent.server.command.NodeRole.ALL_ROLES;
import static dev.wisent.server.command.NodeRole.STORING_ROLES;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onAnyCollection;
import static dev.wisent.server.privilege.Privilege.onArguments;
import static dev.wisent.server.privilege.Privilege.onCluster;
import static dev.wisent.server.privilege.Privilege.onCollection;
import static dev.wisent.server.privilege.Privilege.onDatabase;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.privilege.Action;
import dev.wisent.server.privilege.Privilege;
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
        refused("createRole")
            .scope(
                ALL_ROLES,
                NO_API,
                onDatabase(Action.CREATE_ROLE).withOptional(Action.GRANT_ROLE),
                NO_TRANSACTION),
        refused("createUser")
            .scope(
                ALL_ROLES,
                NO_API,
                onDatabase(Action.CREATE_USER)
                    .withOptional(Action.GRANT_ROLE, Action.SET_AUTHENTICATION_RESTRICTION),
                NO_TRANSACTION),
        refused("dbCheck")
            .scope(STORING_ROLES, NO_API, onCollection(Action.DB_CHECK), NO_TRANSACTION),
        refused("dropAllRolesFromDatabase")
            .scope(ALL_ROLES, NO_API, onDatabase(Action.DROP_ROLE), NO_TRANSACTION),
        refused("dropAllUsersFromDatabase")
            .scope(ALL_ROLES, NO_API, onDatabase(Action.DROP_USER), NO_TRANSACTION),
        refused("dropRole").scope(ALL_ROLES, NO_API, onDatabase(Action.DROP_ROLE), NO_TRANSACTION),
        refused("dropUser").scope(ALL_ROLES, NO_API, onDatabase(Action.DROP_USER), NO_TRANSACTION),
        refused("filemd5").scope(ALL_ROLES, NO_API, onCollection(Action.FIND), NO_TRANSACTION),
        refused("flushRouterConfig")
            .scope(ALL_ROLES, NO_API, onCluster(Action.FLUSH_ROUTER_CONFIG), NO_TRANSACTION)
            .onAdmin(),
        refused("getShardVersion")
            .scope(ALL_ROLES, NO_API, onCollection(Action.GET_SHARD_VERSION), NO_TRANSACTION)
            .onAdmin(),
        refused("grantPrivilegesToRole")
            .scope(ALL_ROLES, NO_API, onArguments(Action.GRANT_ROLE), NO_TRANSACTION),
        refused("grantRolesToRole")
            .scope(ALL_ROLES, NO_API, onArguments(Action.GRANT_ROLE), NO_TRANSACTION),
        refused("grantRolesToUser")
            .scope(ALL_ROLES, NO_API, onArguments(Action.GRANT_ROLE), NO_TRANSACTION),
        refused("invalidateUserCache")
            .scope(ALL_ROLES, NO_API, onCluster(Action.INVALIDATE_USER_CACHE), NO_TRANSACTION)
            .onAdmin(),
        refused("logout").scope(ALL_ROLES, NO_API, Privilege.NONE, NO_TRANSACTION),
        refused("mergeChunks")
            .scope(ALL_ROLES, NO_API, onCollection(Action.SPLIT_CHUNK), NO_TRANSACTION)
            .onAdmin(),
        refused("removeQuerySettings")
            .scope(ALL_ROLES, NO_API, onCluster(Action.QUERY_SETTINGS), NO_TRANSACTION)
            .onAdmin(),
        refused("revokePrivilegesFromRole")
            .scope(ALL_ROLES, NO_API, onArguments(Action.REVOKE_ROLE), NO_TRANSACTION),
        refused("revokeRolesFromRole")
            .scope(ALL_ROLES, NO_API, onArguments(Action.REVOKE_ROLE), NO_TRANSACTION),
        refused("revokeRolesFromUser")
            .scope(ALL_ROLES, NO_API, onArguments(Action.REVOKE_ROLE), NO_TRANSACTION),
        refused("rolesInfo")
            .scope(ALL_ROLES, NO_API, onDatabase(Action.VIEW_ROLE).orOwn(), NO_TRANSACTION),
        refused("rotateCertificates")
            .scope(ALL_ROLES, NO_API, onCluster(Action.ROTATE_CERTIFICATES), NO_TRANSACTION)
            .onAdmin(),
        refused("rotateFTDC")
            .scope(
                ALL_ROLES,
                NO_API,
                onCluster(Action.REPL_SET_GET_STATUS, Action.SERVER_STATUS),
                NO_TRANSACTION)
            .onAdmin(),
        refused("saslContinue").scope(ALL_ROLES, V1, Privilege.NONE, NO_TRANSACTION),
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
        refused("updateRole")
            .scope(
                ALL_ROLES,
                NO_API,
                onArguments(Action.GRANT_ROLE, Action.REVOKE_ROLE),
                NO_TRANSACTION),
        refused("updateUser")
            .scope(
                ALL_ROLES,
                NO_API,
                onArguments(
                        Action.CHANGE_CUSTOM_DATA,
                        Action.CHANGE_PASSWORD,
                        Action.GRANT_ROLE,
                        Action.REVOKE_ROLE,
                        Action.SET_AUTHENTICATION_RESTRICTION)
                    .orOwn(),
                NO_TRANSACTION),
        refused("usersInfo")
            .scope(ALL_ROLES, NO_API, onDatabase(Action.VIEW_USER).orOwn(), NO_TRANSACTION),
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
