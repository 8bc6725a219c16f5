package dev.wisent.server.user;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.CommandKind.ADMIN;
import static dev.wisent.server.command.NodeRole.ALL_ROLES;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onArguments;
import static dev.wisent.server.privilege.Privilege.onCluster;
import static dev.wisent.server.privilege.Privilege.onDatabase;

import dev.wisent.base.log.LogComponent;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.RunsOn;
import dev.wisent.server.privilege.Privilege;
import java.util.List;
import java.util.stream.Stream;

/** The commands for users and roles. */
public final class UserTable {
  private UserTable() {}

  public static List<CommandSpec> all(ServerServices s) {
    var store = new UserStore(s.database());
    var changes = new UserChanges(s.access().users());
    return Stream.of(
            users(s, store, changes),
            roles(store, changes),
            shown(s, store),
            List.of(merge(s, store, changes)))
        .flatMap(List::stream)
        .toList();
  }

  private static CommandSpec merge(ServerServices s, UserStore store, UserChanges changes) {
    var command =
        new MergeAuthzCollectionsCommand(
            store, changes, s.audit(), s.log().of(LogComponent.ACCESS));
    return change(
            "_mergeAuthzCollections",
            "take users and roles over from other collections, for mongorestore",
            command,
            onArguments(
                    Action.CREATE_USER, Action.CREATE_ROLE, Action.GRANT_ROLE, Action.REVOKE_ROLE)
                .withOptional(Action.DROP_USER, Action.DROP_ROLE, Action.FIND))
        .onAdmin();
  }

  private static List<CommandSpec> users(ServerServices s, UserStore store, UserChanges changes) {
    var credentials = new UserCredentials(s.random(), s.access().logins());
    var users = new UserCommands(store, changes, credentials, s.random());
    return List.of(
        change(
            "createUser",
            "create a user",
            users::create,
            onDatabase(Action.CREATE_USER)
                .withOptional(Action.GRANT_ROLE, Action.SET_AUTHENTICATION_RESTRICTION)),
        change(
            "updateUser",
            "change a user",
            users::update,
            onArguments(
                    Action.CHANGE_CUSTOM_DATA,
                    Action.CHANGE_PASSWORD,
                    Action.GRANT_ROLE,
                    Action.REVOKE_ROLE,
                    Action.SET_AUTHENTICATION_RESTRICTION)
                .orOwn()),
        change("dropUser", "drop a user", users::drop, onDatabase(Action.DROP_USER)),
        change(
            "dropAllUsersFromDatabase",
            "drop all users of a database",
            users::dropAll,
            onDatabase(Action.DROP_USER)),
        change(
            "grantRolesToUser",
            "give roles to a user",
            users::grantRoles,
            onArguments(Action.GRANT_ROLE)),
        change(
            "revokeRolesFromUser",
            "take roles from a user",
            users::revokeRoles,
            onArguments(Action.REVOKE_ROLE)));
  }

  private static List<CommandSpec> roles(UserStore store, UserChanges changes) {
    var roles = new RoleCommands(store, changes);
    return List.of(
        change(
            "createRole",
            "create a role",
            roles::create,
            onDatabase(Action.CREATE_ROLE).withOptional(Action.GRANT_ROLE)),
        change(
            "updateRole",
            "change a role",
            roles::update,
            onArguments(Action.GRANT_ROLE, Action.REVOKE_ROLE)),
        change("dropRole", "drop a role", roles::drop, onDatabase(Action.DROP_ROLE)),
        change(
            "dropAllRolesFromDatabase",
            "drop all roles of a database",
            roles::dropAll,
            onDatabase(Action.DROP_ROLE)),
        change(
            "grantPrivilegesToRole",
            "give privileges to a role",
            roles::grantPrivileges,
            onArguments(Action.GRANT_ROLE)),
        change(
            "revokePrivilegesFromRole",
            "take privileges from a role",
            roles::revokePrivileges,
            onArguments(Action.REVOKE_ROLE)),
        change(
            "grantRolesToRole",
            "give roles to a role",
            roles::grantRoles,
            onArguments(Action.GRANT_ROLE)),
        change(
            "revokeRolesFromRole",
            "take roles from a role",
            roles::revokeRoles,
            onArguments(Action.REVOKE_ROLE)));
  }

  private static List<CommandSpec> shown(ServerServices s, UserStore store) {
    return List.of(
        info("usersInfo", "users", new UsersInfoCommand(store), Action.VIEW_USER),
        info("rolesInfo", "roles", new RolesInfoCommand(store), Action.VIEW_ROLE),
        CommandSpec.of(
                "invalidateUserCache",
                ADMIN,
                "read users again",
                new InvalidateUserCacheCommand(s.access().users()))
            .scope(ALL_ROLES, NO_API, onCluster(Action.INVALIDATE_USER_CACHE), NO_TRANSACTION));
  }

  private static CommandSpec change(
      String name, String help, Command command, Privilege privilege) {
    return CommandSpec.of(name, ADMIN, help, command)
        .scope(ALL_ROLES, NO_API, privilege, NO_TRANSACTION)
        .runsOn(RunsOn.PRIMARY)
        .withWriteConcern();
  }

  private static CommandSpec info(String name, String help, Command command, Action action) {
    return CommandSpec.of(name, ADMIN, help, command)
        .scope(ALL_ROLES, NO_API, onDatabase(action).orOwn(), NO_TRANSACTION)
        .runsOn(RunsOn.SECONDARY_IF_ALLOWED);
  }
}
