package dev.wisent.server.user;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.RoleName;
import dev.wisent.security.UserName;
import dev.wisent.security.privilege.GrantedPrivileges;
import dev.wisent.security.role.ResolvedRoles;
import dev.wisent.security.role.RoleGraph;
import dev.wisent.security.role.RoleNames;
import dev.wisent.security.user.AuthenticationRestriction;
import dev.wisent.security.user.RestrictionDocument;
import dev.wisent.security.user.User;
import java.util.ArrayList;
import java.util.List;

/** A user as {@code admin.system.users} has it. */
final class UserDocument {
  private UserDocument() {}

  static UserName name(RawDocument stored) {
    return new UserName(text(stored, "user"), text(stored, "db"));
  }

  private static String text(RawDocument stored, String field) {
    RawValue value = stored.get(field);
    return value != null && value.isString() ? value.asString() : "";
  }

  static List<RoleName> roles(RawDocument stored) {
    RawValue roles = stored.get("roles");
    return roles == null || !roles.isArray() ? List.of() : RoleNames.parseAll(roles, "");
  }

  /** By what it may log in. */
  static List<String> mechanisms(RawDocument stored) {
    var mechanisms = new ArrayList<String>();
    RawValue credentials = stored.get("credentials");
    if (credentials != null && credentials.isDocument()) {
      for (ElementCursor each = credentials.elements(); each.next(); ) {
        mechanisms.add(each.name());
      }
    }
    return mechanisms;
  }

  /** The user with what its roles give. */
  static User resolved(RawDocument stored, RoleGraph graph) {
    List<RoleName> roles = roles(stored);
    ResolvedRoles given = graph.resolve(roles);
    var restrictions = new ArrayList<List<AuthenticationRestriction>>();
    List<AuthenticationRestriction> own =
        RestrictionDocument.ofStored(stored.get(RestrictionDocument.FIELD));
    if (!own.isEmpty()) {
      restrictions.add(own);
    }
    restrictions.addAll(given.restrictions());
    return new User(
        name(stored),
        stored,
        roles,
        given.with(roles),
        GrantedPrivileges.of(given.grants()),
        restrictions);
  }
}
