package dev.wisent.security.role;

import dev.wisent.security.RoleName;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.user.AuthenticationRestriction;
import java.util.List;

/**
 * A role as it was defined.
 *
 * @param roles those whose privileges it inherits
 * @param grants its own privileges
 * @param restrictions where users with this role may log in from
 */
public record RoleDefinition(
    RoleName name,
    List<RoleName> roles,
    List<Grant> grants,
    List<AuthenticationRestriction> restrictions,
    boolean isBuiltin) {
  public RoleDefinition {
    roles = List.copyOf(roles);
    grants = List.copyOf(grants);
    restrictions = List.copyOf(restrictions);
  }
}
