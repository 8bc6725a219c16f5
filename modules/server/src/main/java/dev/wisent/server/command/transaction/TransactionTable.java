package dev.wisent.server.command.transaction;

import static dev.wisent.server.command.ApiVersions.V1;
import static dev.wisent.server.command.CommandKind.ADMIN;
import static dev.wisent.server.command.CommandSpec.of;
import static dev.wisent.server.command.NodeRole.ALL_ROLES;
import static dev.wisent.server.command.TransactionUse.ENDS;

import dev.wisent.server.ServerServices;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.RunsOn;
import dev.wisent.server.privilege.Privilege;
import java.util.List;

/** The commands about transactions. */
public final class TransactionTable {
  private TransactionTable() {}

  public static List<CommandSpec> all(ServerServices s) {
    var commands = new TransactionCommands(s.transactions(), s.replicaSet().orElse(null));
    return List.of(
        of("commitTransaction", ADMIN, "commit a transaction", commands.commit())
            .scope(ALL_ROLES, V1, Privilege.LOGIN, ENDS)
            .runsOn(RunsOn.PRIMARY)
            .withWriteConcern()
            .onAdmin(),
        of("abortTransaction", ADMIN, "take a transaction back", commands.abort())
            .scope(ALL_ROLES, V1, Privilege.LOGIN, ENDS)
            .runsOn(RunsOn.PRIMARY)
            .withWriteConcern()
            .onAdmin());
  }
}
