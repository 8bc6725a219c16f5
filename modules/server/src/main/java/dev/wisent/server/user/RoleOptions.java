package dev.wisent.server.user;

import dev.wisent.bson.RawDocument;
import dev.wisent.security.RoleName;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.privilege.PrivilegeDocument;
import dev.wisent.security.role.RolePrivileges;
import dev.wisent.security.user.AuthenticationRestriction;
import dev.wisent.security.user.RestrictionDocument;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What {@code createRole} and {@code updateRole} say of a role; absent is what they do not say. */
record RoleOptions(
    Optional<List<Grant>> grants,
    Optional<List<RoleName>> roles,
    Optional<List<AuthenticationRestriction>> restrictions) {

  static RoleOptions parse(CommandRequest request) {
    List<Grant> grants = null;
    List<RoleName> roles = null;
    List<AuthenticationRestriction> restrictions = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "privileges" -> grants = privileges(reader);
        case "roles" -> roles = UserOptions.roles(reader, request.database());
        case RestrictionDocument.FIELD -> restrictions = UserOptions.restrictions(reader);
        default -> reader.unknown();
      }
    }
    return new RoleOptions(
        Optional.ofNullable(grants), Optional.ofNullable(roles), Optional.ofNullable(restrictions));
  }

  boolean isEmpty() {
    return grants.isEmpty() && roles.isEmpty() && restrictions.isEmpty();
  }

  /** The privileges of a command that has no other argument. */
  static List<Grant> privilegesOf(CommandRequest request) {
    List<Grant> grants = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "privileges" -> grants = privileges(reader);
        default -> reader.unknown();
      }
    }
    if (grants == null) {
      throw ArgumentTypes.missing(request.nameInErrors() + ".privileges");
    }
    if (grants.isEmpty()) {
      throw UserOptions.bad(request.name() + " command requires a non-empty \"privileges\" array");
    }
    return grants;
  }

  /** Those on the same resource become one. */
  private static List<Grant> privileges(ArgumentReader reader) {
    var unknown = new ArrayList<String>();
    var grants = new ArrayList<Grant>();
    for (RawDocument each : reader.documents()) {
      grants.add(PrivilegeDocument.parse(reader.path(), each, unknown));
    }
    if (!unknown.isEmpty()) {
      var names = new TreeSet<>(unknown);
      throw UserOptions.bad(
          (names.size() == 1 ? "Unknown action type" : "Unknown action types")
              + names.stream()
                  .map(name -> "'" + name + "'")
                  .collect(Collectors.joining(", ", " in privilege set: ", "")));
    }
    return new RolePrivileges().add(grants).grants();
  }
}
