package dev.wisent.security.role;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.security.RoleName;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.privilege.ResourcePattern.Collections;
import dev.wisent.security.user.AuthenticationRestriction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which roles have which, and what they give: those of every server and those of users. */
public final class RoleGraph {
  private static final String ADMIN = "admin";

  private final RoleSource stored;

  public RoleGraph(RoleSource stored) {
    this.stored = stored;
  }

  public Optional<RoleDefinition> find(RoleName name) {
    return Optional.ofNullable(findAll(List.of(name)).get(name));
  }

  private Map<RoleName, RoleDefinition> findAll(Collection<RoleName> names) {
    var found = new LinkedHashMap<RoleName, RoleDefinition>();
    var others = new ArrayList<RoleName>();
    for (RoleName name : names) {
      BuiltinRoles.find(name)
          .ifPresentOrElse(role -> found.put(name, role), () -> others.add(name));
    }
    if (!others.isEmpty()) {
      found.putAll(stored.roles(others));
    }
    return found;
  }

  /** Follows roles to the end; one that does not exist gives nothing. */
  public ResolvedRoles resolve(Collection<RoleName> roles) {
    var inherited = new LinkedHashSet<RoleName>();
    var privileges = new RolePrivileges();
    var restrictions = new ArrayList<List<AuthenticationRestriction>>();
    var visited = new LinkedHashSet<>(roles);
    Set<RoleName> frontier = new LinkedHashSet<>(roles);
    while (!frontier.isEmpty()) {
      var next = new LinkedHashSet<RoleName>();
      for (RoleDefinition role : findAll(frontier).values()) {
        privileges.add(role.grants());
        if (!role.restrictions().isEmpty()) {
          restrictions.add(role.restrictions());
        }
        inherited.addAll(role.roles());
        role.roles().stream().filter(visited::add).forEach(next::add);
      }
      frontier = next;
    }
    return new ResolvedRoles(inherited, privileges.grants(), restrictions);
  }

  /** Fails with the names of those that do not exist. */
  public void requireAll(Collection<RoleName> roles) {
    Set<RoleName> found = findAll(roles).keySet();
    List<String> missing =
        roles.stream()
            .distinct()
            .filter(role -> !found.contains(role))
            .map(RoleName::toString)
            .toList();
    if (!missing.isEmpty()) {
      throw new CommandException(
          ErrorCode.ROLE_NOT_FOUND,
          (missing.size() == 1 ? "Could not find role: " : "Could not find roles: ")
              + String.join(", ", missing));
    }
  }

  /** Fails if a role may not get others: they do not exist, are out of its reach, or have it. */
  public void checkGrant(RoleName role, Collection<RoleName> added) {
    for (RoleName each : added) {
      if (each.equals(role)) {
        throw refused("Cannot grant role " + role + " to itself.");
      }
      if (!role.database().equals(ADMIN) && !each.database().equals(role.database())) {
        throw refused(
            "Roles on the '"
                + role.database()
                + "' database cannot be granted roles from other databases");
      }
    }
    try {
      requireAll(added);
    } catch (CommandException e) {
      throw new CommandException(
          e.code(), "Cannot grant roles to '" + role + "': " + e.getMessage());
    }
    if (resolve(added).inherited().contains(role)) {
      throw refused("Granting roles to " + role + " would introduce a cycle in the role graph");
    }
  }

  /** Fails if a role may not get privileges, because they are not on its database. */
  public static void checkReach(RoleName role, Collection<Grant> grants) {
    if (role.database().equals(ADMIN)) {
      return;
    }
    for (Grant grant : grants) {
      if (!(grant.resource() instanceof Collections on) || !on.database().equals(role.database())) {
        throw refused(
            "Roles on the '"
                + role.database()
                + "' database cannot be granted privileges that target other databases or the"
                + " cluster");
      }
    }
  }

  private static CommandException refused(String message) {
    return new CommandException(ErrorCode.INVALID_ROLE_MODIFICATION, message);
  }
}
