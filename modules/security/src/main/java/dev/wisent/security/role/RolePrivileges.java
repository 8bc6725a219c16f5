package dev.wisent.security.role;

import dev.wisent.security.RoleName;
import dev.wisent.security.privilege.Action;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.privilege.ResourcePattern;
import dev.wisent.security.privilege.ResourcePattern.AnyResource;
import dev.wisent.security.privilege.ResourcePattern.Buckets;
import dev.wisent.security.privilege.ResourcePattern.Cluster;
import dev.wisent.security.privilege.ResourcePattern.Collections;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Privileges being gathered: those on one resource become one. Not thread-safe. */
public final class RolePrivileges {
  private final Map<ResourcePattern, EnumSet<Action>> actions = new LinkedHashMap<>();

  /** A built-in role of the admin database. */
  static RoleDefinition ofAdmin(String name, RolePrivileges privileges) {
    return builtin(new RoleName(name, "admin"), privileges);
  }

  static RoleDefinition builtin(RoleName name, RolePrivileges privileges) {
    return new RoleDefinition(name, List.of(), privileges.grants(), List.of(), true);
  }

  RolePrivileges onCluster(Action... some) {
    return on(new Cluster(), List.of(some));
  }

  /** On everything there is. */
  RolePrivileges onAny(Action... some) {
    return on(new AnyResource(), List.of(some));
  }

  /** On all databases and their collections, system collections excepted. */
  RolePrivileges onAllDatabases(Collection<Action> some) {
    return on(new Collections("", ""), some);
  }

  RolePrivileges onDatabase(String database, Collection<Action> some) {
    return on(new Collections(database, ""), some);
  }

  RolePrivileges onCollection(String database, String collection, Collection<Action> some) {
    return on(new Collections(database, collection), some);
  }

  /** On collections of this name in all databases. */
  RolePrivileges onEvery(String collection, Collection<Action> some) {
    return on(new Collections("", collection), some);
  }

  RolePrivileges onAllBuckets(Collection<Action> some) {
    return on(new Buckets("", ""), some);
  }

  RolePrivileges and(RoleDefinition inherited) {
    return add(inherited.grants());
  }

  public RolePrivileges add(Collection<Grant> grants) {
    grants.forEach(grant -> on(grant.resource(), grant.actions()));
    return this;
  }

  /** Takes actions away; a resource without any is left out. */
  public RolePrivileges remove(Collection<Grant> grants) {
    for (Grant grant : grants) {
      EnumSet<Action> left = actions.get(grant.resource());
      if (left != null) {
        left.removeAll(grant.actions());
        if (left.isEmpty()) {
          actions.remove(grant.resource());
        } else if (!grant.actions().isEmpty()) {
          left.remove(Action.ANY_ACTION);
        }
      }
    }
    return this;
  }

  private RolePrivileges on(ResourcePattern resource, Collection<Action> some) {
    Set<Action> all =
        some.contains(Action.ANY_ACTION) ? EnumSet.allOf(Action.class) : Set.copyOf(some);
    actions.computeIfAbsent(resource, each -> EnumSet.noneOf(Action.class)).addAll(all);
    return this;
  }

  public List<Grant> grants() {
    return actions.entrySet().stream()
        .map(each -> new Grant(each.getKey(), each.getValue()))
        .toList();
  }
}
