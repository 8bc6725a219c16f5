package dev.wisent.cluster.coordinator;

import java.util.Set;

/**
 * A claim of a coordinator on a database or collection.
 *
 * @param exclusive whether no other coordinator may have it at the same time
 */
public record ResourceLock(String name, boolean exclusive) {
  /** The locks of what concerns one collection. */
  public static Set<ResourceLock> ofCollection(String namespace) {
    String database = namespace.substring(0, namespace.indexOf('.'));
    return Set.of(new ResourceLock(database, false), new ResourceLock(namespace, true));
  }

  /** The lock of what concerns a whole database. */
  public static Set<ResourceLock> ofDatabase(String database) {
    return Set.of(new ResourceLock(database, true));
  }
}
