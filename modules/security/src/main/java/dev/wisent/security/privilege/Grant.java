package dev.wisent.security.privilege;

import java.util.Set;

/** A privilege that a role gives: actions, and what they may be done to. */
public record Grant(ResourcePattern resource, Set<Action> actions) {
  public Grant {
    actions = Set.copyOf(actions);
  }
}
