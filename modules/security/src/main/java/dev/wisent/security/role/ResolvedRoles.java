package dev.wisent.security.role;

import dev.wisent.security.RoleName;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.user.AuthenticationRestriction;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What some roles give together.
 *
 * @param inherited the roles that they have, directly or not; each of them only if another one has
 *     it
 * @param grants of all of them, one for each resource
 * @param restrictions of each that has some
 */
public record ResolvedRoles(
    Set<RoleName> inherited,
    List<Grant> grants,
    List<List<AuthenticationRestriction>> restrictions) {
  public ResolvedRoles {
    inherited = Collections.unmodifiableSet(new LinkedHashSet<>(inherited));
    grants = List.copyOf(grants);
    restrictions = List.copyOf(restrictions);
  }

  /** The roles themselves as well. */
  public Set<RoleName> with(List<RoleName> roles) {
    var all = new LinkedHashSet<>(roles);
    all.addAll(inherited);
    return all;
  }
}
