package dev.wisent.security.role;

import dev.wisent.security.RoleName;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The roles that every server has, with MongoDB 8.0's privileges. What a role inherits is in its
 * own privileges: as in MongoDB a built-in role shows no roles that it has.
 */
public final class BuiltinRoles {
  private static final String ADMIN = "admin";

  /** Those of {@code admin} alone; they do not change. */
  private static final List<RoleDefinition> OF_ADMIN =
      Stream.of(AnyDatabaseRoles.all(), ClusterRoles.all(), BackupRoles.all(), SuperuserRoles.all())
          .flatMap(List::stream)
          .toList();

  private BuiltinRoles() {}

  /** The role of that name; empty if it is one that users define, or none. */
  public static Optional<RoleDefinition> find(RoleName name) {
    Optional<RoleDefinition> own = DatabaseRoles.find(name);
    if (own.isPresent() || !name.database().equals(ADMIN)) {
      return own;
    }
    return OF_ADMIN.stream().filter(role -> role.name().equals(name)).findFirst();
  }

  public static boolean contains(RoleName name) {
    return find(name).isPresent();
  }

  /** Those that a database has, sorted by name. */
  public static List<RoleDefinition> all(String database) {
    Stream<RoleDefinition> own = DatabaseRoles.all(database).stream();
    return (database.equals(ADMIN) ? Stream.concat(own, OF_ADMIN.stream()) : own)
        .sorted(Comparator.comparing(role -> role.name().role()))
        .toList();
  }
}
