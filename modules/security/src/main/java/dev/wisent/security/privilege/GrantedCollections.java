package dev.wisent.security.privilege;

import dev.wisent.security.privilege.ResourcePattern.Buckets;
import dev.wisent.security.privilege.ResourcePattern.Collections;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;

/**
 * What may be done to collections, by the four forms that patterns have: all, those of a database,
 * those of a name, one. The same forms stand for the buckets of time series collections.
 */
final class GrantedCollections {
  private final EnumSet<Action> all = EnumSet.noneOf(Action.class);
  private final ActionsByName byDatabase = new ActionsByName();
  private final ActionsByName byCollection = new ActionsByName();
  private final Map<String, ActionsByName> exact = new HashMap<>();

  void add(Collections pattern, Collection<Action> actions) {
    add(pattern.database(), pattern.collection(), actions);
  }

  void add(Buckets pattern, Collection<Action> actions) {
    add(pattern.database(), pattern.collection(), actions);
  }

  private void add(String database, String collection, Collection<Action> actions) {
    if (actions.isEmpty()) {
      return;
    }
    if (!database.isEmpty() && !collection.isEmpty()) {
      exact.computeIfAbsent(database, unused -> new ActionsByName()).add(collection, actions);
    } else if (!database.isEmpty()) {
      byDatabase.add(database, actions);
    } else if (!collection.isEmpty()) {
      byCollection.add(collection, actions);
    } else {
      all.addAll(actions);
    }
  }

  boolean onAll(Action action) {
    return all.contains(action);
  }

  boolean onDatabase(String database, Action action) {
    return byDatabase.contains(database, action);
  }

  /** By a pattern with the collection's name, with or without that of its database. */
  boolean onNamed(String database, String collection, Action action) {
    if (byCollection.contains(collection, action)) {
      return true;
    }
    ActionsByName named = exact.get(database);
    return named != null && named.contains(collection, action);
  }

  boolean hasAll() {
    return !all.isEmpty();
  }

  boolean hasDatabase(String database) {
    return byDatabase.hasAny(database);
  }

  boolean hasNamed(String database, String collection) {
    ActionsByName named = exact.get(database);
    return byCollection.hasAny(collection) || (named != null && named.hasAny(collection));
  }

  /** Whether a pattern with a collection's name matches something in a database. */
  boolean hasNamedIn(String database) {
    return !byCollection.isEmpty() || exact.containsKey(database);
  }
}
