package dev.wisent.security.role;

import dev.wisent.security.RoleName;
import dev.wisent.security.privilege.Action;
import java.util.List;
import java.util.Optional;

/** The roles that each database has. */
final class DatabaseRoles {
  private static final String EXTERNAL = "$external";
  private static final List<String> NAMES =
      List.of("dbAdmin", "dbOwner", "enableSharding", "read", "readWrite", "userAdmin");

  private DatabaseRoles() {}

  static List<RoleDefinition> all(String database) {
    return NAMES.stream().flatMap(name -> find(new RoleName(name, database)).stream()).toList();
  }

  static Optional<RoleDefinition> find(RoleName name) {
    if (name.database().isEmpty() || name.database().equals(EXTERNAL)) {
      return Optional.empty();
    }
    var privileges = new RolePrivileges();
    String database = name.database();
    switch (name.role()) {
      case "read" -> read(privileges, database);
      case "readWrite" -> readWrite(privileges, database);
      case "userAdmin" -> userAdmin(privileges, database);
      case "dbAdmin" -> dbAdmin(privileges, database);
      case "dbOwner" -> {
        readWrite(privileges, database);
        dbAdmin(privileges, database);
        userAdmin(privileges, database);
      }
      case "enableSharding" ->
          privileges.onAllDatabases(
              ActionSets.of(
                  Action.ANALYZE_SHARD_KEY,
                  Action.ENABLE_SHARDING,
                  Action.MOVE_COLLECTION,
                  Action.REFINE_COLLECTION_SHARD_KEY,
                  Action.RESHARD_COLLECTION,
                  Action.UNSHARD_COLLECTION));
      default -> {
        return Optional.empty();
      }
    }
    return Optional.of(RolePrivileges.builtin(name, privileges));
  }

  static void read(RolePrivileges privileges, String database) {
    privileges
        .onDatabase(database, ActionSets.READ)
        .onCollection(database, "system.js", ActionSets.READ);
  }

  private static void readWrite(RolePrivileges privileges, String database) {
    privileges
        .onDatabase(database, ActionSets.READ_WRITE)
        .onCollection(database, "system.js", ActionSets.READ_WRITE);
  }

  private static void userAdmin(RolePrivileges privileges, String database) {
    privileges.onDatabase(database, ActionSets.USER_ADMIN);
  }

  private static void dbAdmin(RolePrivileges privileges, String database) {
    privileges
        .onDatabase(database, ActionSets.DB_ADMIN)
        .onCollection(database, "system.profile", ActionSets.PROFILE_ADMIN);
  }
}
