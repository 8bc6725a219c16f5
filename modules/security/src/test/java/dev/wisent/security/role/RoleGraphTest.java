package dev.wisent.security.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.security.RoleName;
import dev.wisent.security.privilege.Action;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.privilege.ResourcePattern.Collections;
import dev.wisent.security.user.AuthenticationRestriction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoleGraphTest {
  private final Map<RoleName, RoleDefinition> stored = new HashMap<>();
  private final RoleGraph graph =
      new RoleGraph(
          names -> {
            var found = new HashMap<>(stored);
            found.keySet().retainAll(names);
            return found;
          });

  private static RoleName name(String role) {
    return new RoleName(role, "admin");
  }

  private void store(String role, List<RoleName> roles, Action... actions) {
    List<Grant> grants =
        actions.length == 0
            ? List.of()
            : List.of(new Grant(new Collections("shop", ""), Set.of(actions)));
    stored.put(name(role), new RoleDefinition(name(role), roles, grants, List.of(), false));
  }

  @Test
  void grantsOfAllRolesAreMerged() {
    store("a", List.of(name("b"), new RoleName("read", "shop")), Action.INSERT);
    store("b", List.of(), Action.UPDATE);
    ResolvedRoles roles = graph.resolve(List.of(name("a")));
    assertEquals(Set.of(name("b"), new RoleName("read", "shop")), roles.inherited());
    Grant first = roles.grants().getFirst();
    assertEquals(new Collections("shop", ""), first.resource());
    assertTrue(first.actions().containsAll(Set.of(Action.INSERT, Action.UPDATE, Action.FIND)));
    assertEquals(2, roles.grants().size());
  }

  @Test
  void whatIsStoredInACircleEnds() {
    store("a", List.of(name("b")), Action.FIND);
    store("b", List.of(name("a"), name("gone")), Action.INSERT);
    ResolvedRoles roles = graph.resolve(List.of(name("a")));
    assertEquals(Set.of(name("a"), name("b"), name("gone")), roles.inherited());
    assertEquals(Set.of(Action.FIND, Action.INSERT), roles.grants().getFirst().actions());
  }

  @Test
  void restrictionsOfEachRoleCount() {
    var here = new AuthenticationRestriction(List.of("127.0.0.1"), List.of());
    stored.put(
        name("a"), new RoleDefinition(name("a"), List.of(), List.of(), List.of(here), false));
    store("b", List.of(name("a")));
    assertEquals(List.of(List.of(here)), graph.resolve(List.of(name("b"))).restrictions());
  }

  /** Against what one finds by following every path. */
  @Test
  void reachesWhatPathsReach() {
    var random = new Random(17);
    for (int round = 0; round < 200; round++) {
      stored.clear();
      int count = 2 + random.nextInt(8);
      Map<RoleName, List<RoleName>> edges = new HashMap<>();
      for (int role = 0; role < count; role++) {
        var to = new ArrayList<RoleName>();
        for (int other = 0; other < count; other++) {
          if (other != role && random.nextInt(3) == 0) {
            to.add(name("r" + other));
          }
        }
        edges.put(name("r" + role), to);
        store("r" + role, to);
      }
      for (RoleName role : edges.keySet()) {
        var expected = new HashSet<RoleName>();
        follow(role, edges, expected);
        assertEquals(expected, graph.resolve(List.of(role)).inherited());
        for (RoleName other : edges.keySet()) {
          boolean cycle = other.equals(role) || expected.contains(other);
          assertEquals(cycle, isRefused(other, role));
        }
      }
    }
  }

  private static void follow(
      RoleName role, Map<RoleName, List<RoleName>> edges, Set<RoleName> found) {
    for (RoleName next : edges.get(role)) {
      if (found.add(next)) {
        follow(next, edges, found);
      }
    }
  }

  private boolean isRefused(RoleName role, RoleName added) {
    try {
      graph.checkGrant(role, List.of(added));
      return false;
    } catch (CommandException e) {
      assertEquals(ErrorCode.INVALID_ROLE_MODIFICATION, e.code());
      return true;
    }
  }

  @Test
  void missingRolesAreNamed() {
    CommandException error =
        assertThrows(
            CommandException.class, () -> graph.requireAll(List.of(name("x"), name("root"))));
    assertEquals(ErrorCode.ROLE_NOT_FOUND, error.code());
    assertEquals("Could not find role: x@admin", error.getMessage());
  }
}
