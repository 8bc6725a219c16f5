package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.util.List;

/** Commands that MongoDB has and that this server knows but does not do yet. */
final class RefusedCommands {
  private static final List<String> NAMES =
      List.of(
          "abortTransaction",
          "analyzeShardKey",
          "autoCompact",
          "cleanupOrphaned",
          "commitTransaction",
          "configureQueryAnalyzer",
          "createRole",
          "createUser",
          "dbCheck",
          "dropAllRolesFromDatabase",
          "dropAllUsersFromDatabase",
          "dropRole",
          "dropUser",
          "filemd5",
          "flushRouterConfig",
          "getClusterParameter",
          "getShardVersion",
          "grantPrivilegesToRole",
          "grantRolesToRole",
          "grantRolesToUser",
          "invalidateUserCache",
          "logout",
          "mergeChunks",
          "removeQuerySettings",
          "revokePrivilegesFromRole",
          "revokeRolesFromRole",
          "revokeRolesFromUser",
          "rolesInfo",
          "rotateCertificates",
          "rotateFTDC",
          "saslContinue",
          "setClusterParameter",
          "setIndexCommitQuorum",
          "setProfilingFilterGlobally",
          "setQuerySettings",
          "setUserWriteBlockMode",
          "startRecordingTraffic",
          "startXRayLogging",
          "stopRecordingTraffic",
          "stopXRayLogging",
          "updateRole",
          "updateUser",
          "usersInfo",
          "validateDBMetadata");

  private RefusedCommands() {}

  static List<CommandSpec> all() {
    return NAMES.stream().map(RefusedCommands::refused).toList();
  }

  private static CommandSpec refused(String name) {
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
