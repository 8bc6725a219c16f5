package dev.wisent.security.privilege;

import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;

/** Actions by the name of what they may be done to. */
final class ActionsByName {
  private final Map<String, EnumSet<Action>> byName = new HashMap<>();

  void add(String name, Collection<Action> actions) {
    byName.computeIfAbsent(name, unused -> EnumSet.noneOf(Action.class)).addAll(actions);
  }

  boolean contains(String name, Action action) {
    EnumSet<Action> actions = byName.get(name);
    return actions != null && actions.contains(action);
  }

  boolean hasAny(String name) {
    return byName.containsKey(name);
  }

  boolean isEmpty() {
    return byName.isEmpty();
  }
}
