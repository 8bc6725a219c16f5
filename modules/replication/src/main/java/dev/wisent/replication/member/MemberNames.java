package dev.wisent.replication.member;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.util.Optional;
import java.util.UUID;

/** Messages of other sets are dropped, also of those that have the same name. */
final class MemberNames {
  private MemberNames() {}

  static void check(String own, String others) {
    if (!own.equals(others)) {
      throw new CommandException(
          ErrorCode.INCONSISTENT_REPLICA_SET_NAMES,
          "Our set name of " + own + " does not match name " + others + " reported by remote node");
    }
  }

  /**
   * @param others null if the other one has none yet
   */
  static void check(Optional<UUID> own, UUID others) {
    if (own.isPresent() && others != null && !own.get().equals(others)) {
      throw new CommandException(
          ErrorCode.INCONSISTENT_REPLICA_SET_NAMES,
          "The remote node belongs to another replica set of the same name");
    }
  }
}
