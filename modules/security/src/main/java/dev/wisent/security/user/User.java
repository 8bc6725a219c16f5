package dev.wisent.security.user;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.RoleName;
import dev.wisent.security.UserName;
import dev.wisent.security.privilege.GrantedPrivileges;
import java.util.List;
import java.util.Set;

/**
 * A user with what its roles give.
 *
 * @param stored the document of {@code admin.system.users}, credentials included
 * @param roles those that the user was given
 * @param inheritedRoles these, and all that they inherit
 * @param restrictions those of the user; one of each list of lists must allow a login: first the
 *     user's own, then those of each role
 */
public record User(
    UserName name,
    RawDocument stored,
    List<RoleName> roles,
    Set<RoleName> inheritedRoles,
    GrantedPrivileges privileges,
    List<List<AuthenticationRestriction>> restrictions) {
  public User {
    roles = List.copyOf(roles);
    inheritedRoles = Set.copyOf(inheritedRoles);
    restrictions = List.copyOf(restrictions);
  }

  /** What tells it from another user that gets its name later; null for one without. */
  public RawValue id() {
    return stored.get("userId");
  }
}
