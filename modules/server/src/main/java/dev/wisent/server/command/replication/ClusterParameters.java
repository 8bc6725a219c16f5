package dev.wisent.server.command.replication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.oplog.PreImageLifetime;
import dev.wisent.replication.ReplicaSet;

/** Which parameters a replica set has as a whole, so far one. */
final class ClusterParameters {
  private ClusterParameters() {}

  static void checkMember(ReplicaSet set, String command) {
    if (set == null) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, command + " cannot be run on standalones");
    }
  }

  static void checkKnown(String name) {
    if (!name.equals(PreImageLifetime.PARAMETER)) {
      throw new CommandException(ErrorCode.NO_SUCH_KEY, "Unknown server parameter: " + name);
    }
  }
}
