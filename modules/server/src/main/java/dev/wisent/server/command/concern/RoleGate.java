package dev.wisent.server.command.concern;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;

/** Refuses commands that this member cannot run in its present state. */
final class RoleGate {
  private static final String NOT_REPLICATED = "local";

  private final ReplicaSet set;

  RoleGate(ReplicaSet set) {
    this.set = set;
  }

  void check(CommandSpec spec, CommandRequest request) {
    if (request.database().equals(NOT_REPLICATED)) {
      return;
    }
    MemberState state = set.state();
    switch (spec.runsOn()) {
      case PRIMARY -> checkPrimary(state);
      case SECONDARY_IF_ALLOWED -> {
        if (request.isInTransaction()) {
          checkPrimary(state);
        }
        if (state != MemberState.PRIMARY && !request.readPreference().allowsSecondary()) {
          throw new CommandException(
              ErrorCode.NOT_PRIMARY_NO_SECONDARY_OK, "not primary and secondaryOk=false");
        }
        checkReadable(state);
      }
      case SECONDARY -> checkReadable(state);
      case ANY_STATE -> {}
    }
  }

  private void checkPrimary(MemberState state) {
    if (state != MemberState.PRIMARY) {
      throw new CommandException(ErrorCode.NOT_WRITABLE_PRIMARY, "not primary");
    }
    set.checkWritable();
  }

  private static void checkReadable(MemberState state) {
    if (!state.isReadable()) {
      throw new CommandException(
          ErrorCode.NOT_PRIMARY_OR_SECONDARY,
          state == MemberState.RECOVERING
              ? "node is recovering"
              : "node is not in primary or recovering state");
    }
  }
}
