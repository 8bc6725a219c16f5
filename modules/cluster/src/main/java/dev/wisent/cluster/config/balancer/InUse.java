package dev.wisent.cluster.config.balancer;

import dev.wisent.operation.Namespace;
import java.util.HashSet;
import java.util.Set;

/**
 * What migrations under way have: a move of a whole database or collection would wait for them.
 *
 * @param shards their names
 * @param resources names of collections and databases
 */
record InUse(Set<String> shards, Set<String> resources) {
  InUse() {
    this(new HashSet<>(), new HashSet<>());
  }

  void add(String resource) {
    if (resource != null) {
      resources.add(resource);
    }
  }

  /**
   * Whether something under way concerns a collection, or a database with its collections.
   *
   * @param namespace without a collection for a database
   */
  boolean has(Namespace namespace) {
    if (resources.contains(namespace.database())) {
      return true;
    }
    return namespace.collection().isEmpty()
        ? resources.stream().anyMatch(each -> each.startsWith(namespace.database() + "."))
        : resources.contains(namespace.full());
  }
}
