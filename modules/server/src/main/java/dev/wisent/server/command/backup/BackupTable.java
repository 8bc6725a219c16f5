package dev.wisent.server.command.backup;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.CommandKind.ADMIN;
import static dev.wisent.server.command.CommandSpec.of;
import static dev.wisent.server.command.NodeRole.ALL_ROLES;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onAnyCollection;

import dev.wisent.security.privilege.Action;
import dev.wisent.server.ServerServices;
import dev.wisent.server.StoreServices;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.RunsOn;
import java.util.List;
import java.util.function.Function;

/**
 * The rows of the command table that are about backups. The files have everything, so the privilege
 * is to read everything ({@code ClusterRules}). A state that is fixed stays what it is when the
 * role of the member changes.
 */
public final class BackupTable {
  private BackupTable() {}

  public static List<CommandSpec> all(ServerServices s) {
    return List.of(
        row(s, "backupBegin", "fix a state and list its files", store -> beginning(s, store))
            .runsOn(RunsOn.SECONDARY),
        row(
            s,
            "backupRead",
            "a part of a file of a backup",
            store -> new BackupReadCommand(store.backups())),
        row(
            s,
            "backupEnd",
            "give up the state of a backup",
            store -> new BackupEndCommand(store.backups())));
  }

  private static Command beginning(ServerServices s, StoreServices store) {
    return new BackupBeginCommand(
        store.backups(), new BackupOrigin(s.options(), store.replicaSet(), s.connectedPort()));
  }

  private static CommandSpec row(
      ServerServices s, String name, String help, Function<StoreServices, Command> command) {
    return of(name, ADMIN, help, s.ofStore(command))
        .scope(ALL_ROLES, NO_API, onAnyCollection(Action.FIND), NO_TRANSACTION)
        .onAdmin();
  }
}
