package dev.wisent.security.role;

import static dev.wisent.security.role.RolePrivileges.ofAdmin;

import dev.wisent.security.privilege.Action;
import java.util.List;
import java.util.Set;

/** The roles for all databases but {@code local} and {@code config}. */
final class AnyDatabaseRoles {
  static final RoleDefinition READ_ANY_DATABASE =
      ofAdmin(
          "readAnyDatabase",
          new RolePrivileges()
              .onAllDatabases(ActionSets.READ)
              .onCluster(Action.LIST_DATABASES)
              .onEvery("system.js", ActionSets.READ)
              .onAllBuckets(ActionSets.READ));

  static final RoleDefinition READ_WRITE_ANY_DATABASE =
      ofAdmin(
          "readWriteAnyDatabase",
          new RolePrivileges()
              .and(READ_ANY_DATABASE)
              .onAllDatabases(ActionSets.READ_WRITE)
              .onEvery("system.js", ActionSets.READ_WRITE)
              .onAllBuckets(ActionSets.READ_WRITE));

  static final RoleDefinition USER_ADMIN_ANY_DATABASE =
      ofAdmin("userAdminAnyDatabase", userAdmin());

  static final RoleDefinition DB_ADMIN_ANY_DATABASE =
      ofAdmin(
          "dbAdminAnyDatabase",
          new RolePrivileges()
              .onCluster(Action.LIST_DATABASES, Action.APPLY_OPS)
              .onAllDatabases(ActionSets.DB_ADMIN)
              .onEvery("system.profile", ActionSets.PROFILE_ADMIN)
              .onAllBuckets(ActionSets.DB_ADMIN));

  private AnyDatabaseRoles() {}

  static List<RoleDefinition> all() {
    return List.of(
        READ_ANY_DATABASE, READ_WRITE_ANY_DATABASE, USER_ADMIN_ANY_DATABASE, DB_ADMIN_ANY_DATABASE);
  }

  private static RolePrivileges userAdmin() {
    Set<Action> readAndIndex =
        ActionSets.and(
            ActionSets.READ,
            Action.CREATE_INDEX,
            Action.CREATE_SEARCH_INDEXES,
            Action.DROP_INDEX,
            Action.DROP_SEARCH_INDEX);
    return new RolePrivileges()
        .onAllDatabases(ActionSets.and(ActionSets.USER_ADMIN, Action.LIST_CACHED_AND_ACTIVE_USERS))
        .onDatabase("local", ActionSets.USER_ADMIN)
        .onDatabase("config", ActionSets.USER_ADMIN)
        .onCluster(
            Action.LIST_DATABASES,
            Action.AUTH_SCHEMA_UPGRADE,
            Action.INVALIDATE_USER_CACHE,
            Action.VIEW_USER)
        .onCollection("admin", "system.users", readAndIndex)
        .onCollection("admin", "system.roles", readAndIndex)
        .onEvery("system.users", ActionSets.READ)
        .onCollection("admin", "system.version", ActionSets.READ)
        .onCollection("admin", "system.backup_users", ActionSets.READ);
  }
}
