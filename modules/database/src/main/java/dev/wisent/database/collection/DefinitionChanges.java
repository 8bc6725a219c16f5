package dev.wisent.database.collection;

import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.operation.Namespace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;

/**
 * What becomes of collections when a replicated entry writes definitions. A collection is the same
 * as long as its ident is: with another name it was renamed. Only the end of several changes
 * counts, for they are written in one step.
 */
final class DefinitionChanges {
  private final Catalog catalog;

  /** What is written under each name; null where it is deleted. */
  private final Map<Namespace, CollectionDefinition> written = new LinkedHashMap<>();

  DefinitionChanges(Catalog catalog) {
    this.catalog = catalog;
  }

  void put(Namespace namespace, CollectionDefinition definition) {
    written.put(namespace, definition);
  }

  void remove(Namespace namespace) {
    written.put(namespace, null);
  }

  /**
   * Runs a write that has these changes, and publishes them. Readers are kept out of the
   * collections in between: none sees the store with a change and the definition without, or
   * reversed. A new collection has no users to be kept out of it.
   *
   * @param publishing held from the write to the publication
   */
  void around(Runnable write, Lock publishing) {
    if (written.isEmpty()) {
      write.run();
      return;
    }
    List<Collection> before = new ArrayList<>();
    for (Namespace namespace : written.keySet()) {
      Collection collection = catalog.find(namespace);
      if (collection != null) {
        before.add(collection);
      }
    }
    List<Lock> locks = before.stream().map(Collection::publicationLock).toList();
    locks.forEach(Lock::lock);
    publishing.lock();
    try {
      write.run();
      publish(before);
    } finally {
      publishing.unlock();
      locks.forEach(Lock::unlock);
    }
  }

  /** Array marks and counters of what is new are in the store by now. */
  private void publish(List<Collection> before) {
    Map<Integer, CollectionDefinition> after = new HashMap<>();
    for (CollectionDefinition definition : written.values()) {
      if (definition != null) {
        after.put(definition.ident(), definition);
      }
    }
    List<Collection> dropped = new ArrayList<>();
    for (Collection collection : before) {
      CollectionDefinition definition = after.remove(collection.ident());
      if (definition == null) {
        dropped.add(collection);
      } else {
        change(collection, definition);
      }
    }
    after.values().forEach(definition -> catalog.put(catalog.open(definition)));
    // Last, so that a name which another collection takes over is never without one.
    for (Collection collection : dropped) {
      catalog.remove(collection);
      collection.markDropped();
    }
  }

  private void change(Collection collection, CollectionDefinition definition) {
    Namespace from = collection.namespace();
    catalog.publish(collection, catalog.state(definition, collection.indexes()));
    if (!from.equals(definition.namespace())) {
      catalog.put(collection);
      catalog.removeName(from, collection);
      collection.tail().signal();
    }
  }
}
