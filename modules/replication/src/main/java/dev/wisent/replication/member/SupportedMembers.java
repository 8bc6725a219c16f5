package dev.wisent.replication.member;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;

/** Refuses kinds of members that MongoDB has and that are not done yet. */
final class SupportedMembers {
  private SupportedMembers() {}

  static void check(ReplicaSetConfig config) {
    for (MemberConfig member : config.members()) {
      if (member.arbiter()) {
        throw refused("arbiterOnly", member);
      }
      if (member.delaySeconds() > 0) {
        throw refused("secondaryDelaySecs", member);
      }
    }
  }

  private static CommandException refused(String field, MemberConfig member) {
    return new CommandException(
        ErrorCode.INVALID_REPLICA_SET_CONFIG,
        field + " is not supported yet, but is set for member " + member.host());
  }
}
