package dev.wisent.security.role;

import static dev.wisent.security.role.RolePrivileges.ofAdmin;

import dev.wisent.security.privilege.Action;
import java.util.List;
import java.util.Set;

/** The roles of tools that make and play back backups. */
final class BackupRoles {
  private static final Set<Action> FIND = Set.of(Action.FIND);

  static final RoleDefinition QUERYABLE_BACKUP = ofAdmin("__queryableBackup", queryable());

  static final RoleDefinition BACKUP =
      ofAdmin(
          "backup",
          new RolePrivileges()
              .and(QUERYABLE_BACKUP)
              .onCluster(
                  Action.APPEND_OPLOG_NOTE, Action.SERVER_STATUS, Action.SET_USER_WRITE_BLOCK_MODE)
              .onCollection("config", "settings", Set.of(Action.INSERT, Action.UPDATE)));

  static final RoleDefinition RESTORE = ofAdmin("restore", restore());

  private BackupRoles() {}

  static List<RoleDefinition> all() {
    return List.of(QUERYABLE_BACKUP, BACKUP, RESTORE);
  }

  private static RolePrivileges queryable() {
    return new RolePrivileges()
        .onAny(
            Action.COLL_STATS,
            Action.LIST_COLLECTIONS,
            Action.LIST_INDEXES,
            Action.LIST_SEARCH_INDEXES)
        .onAllDatabases(FIND)
        .onAllBuckets(FIND)
        .onCluster(Action.GET_PARAMETER, Action.LIST_DATABASES, Action.USE_UUID)
        .onDatabase("config", FIND)
        .onDatabase("local", FIND)
        .onCollection("local", "replset.election", FIND)
        .onCollection("local", "replset.minvalid", FIND)
        .onEvery("system.js", FIND)
        .onEvery("system.users", FIND)
        .onEvery("system.profile", FIND)
        .onCollection("admin", "system.backup_users", FIND)
        .onCollection("admin", "system.roles", FIND)
        .onCollection("admin", "system.version", FIND)
        .onCollection("config", "settings", FIND);
  }

  private static RolePrivileges restore() {
    Set<Action> write = ActionSets.RESTORE;
    return new RolePrivileges()
        .onCluster(
            Action.APPLY_OPS,
            Action.BYPASS_WRITE_BLOCKING_MODE,
            Action.FORCE_UUID,
            Action.GET_PARAMETER,
            Action.SET_USER_WRITE_BLOCK_MODE,
            Action.USE_UUID)
        .onDatabase("local", write)
        .onDatabase("config", write)
        .onAllBuckets(write)
        .onCollection("local", "system.replset", write)
        .onCollection("local", "replset.election", write)
        .onCollection("local", "replset.minvalid", write)
        .onAny(Action.LIST_COLLECTIONS)
        .onAllDatabases(write)
        .onAllDatabases(ActionSets.USER_ADMIN)
        .onEvery("system.js", write)
        .onCollection("admin", "tempusers", FIND)
        .onCollection("admin", "temproles", FIND)
        .onCollection("admin", "system.backup_users", write)
        .onCollection("admin", "system.version", ActionSets.and(write, Action.FIND))
        .onEvery("system.users", ActionSets.and(write, Action.FIND, Action.UPDATE, Action.REMOVE))
        .onCollection("admin", "system.roles", Set.of(Action.CREATE_INDEX));
  }
}
