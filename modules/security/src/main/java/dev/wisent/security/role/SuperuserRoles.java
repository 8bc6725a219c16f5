package dev.wisent.security.role;

import static dev.wisent.security.role.RolePrivileges.ofAdmin;

import dev.wisent.security.privilege.Action;
import java.util.List;
import java.util.Set;

/** The roles that allow nearly everything, and everything. */
final class SuperuserRoles {
  static final RoleDefinition ROOT =
      ofAdmin(
          "root",
          new RolePrivileges()
              .and(ClusterRoles.CLUSTER_ADMIN)
              .and(AnyDatabaseRoles.USER_ADMIN_ANY_DATABASE)
              .and(AnyDatabaseRoles.DB_ADMIN_ANY_DATABASE)
              .and(AnyDatabaseRoles.READ_WRITE_ANY_DATABASE)
              .and(BackupRoles.BACKUP)
              .and(BackupRoles.RESTORE)
              .and(ClusterRoles.DIRECT_SHARD_OPERATIONS)
              .onAny(Action.VALIDATE)
              .onCluster(Action.USE_TENANT)
              .onCollection("config", "system.preimages", Set.of(Action.FIND, Action.REMOVE))
              .onCollection(
                  "config",
                  "system.change_collection",
                  Set.of(Action.FIND, Action.INSERT, Action.REMOVE, Action.UPDATE)));

  /** Of the members of a cluster. */
  static final RoleDefinition SYSTEM =
      ofAdmin("__system", new RolePrivileges().onAny(Action.ANY_ACTION));

  private SuperuserRoles() {}

  static List<RoleDefinition> all() {
    return List.of(ROOT, SYSTEM);
  }
}
