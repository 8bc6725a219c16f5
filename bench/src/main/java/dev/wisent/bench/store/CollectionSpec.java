package dev.wisent.bench.store;

import java.util.List;

/**
 * A collection to create.
 *
 * @param indexes the fields of each ascending index
 */
public record CollectionSpec(String name, List<List<Field>> indexes) {
  public CollectionSpec {
    if (!name.matches("[a-z][a-z0-9_]*")) {
      // The name goes into SQL unquoted.
      throw new IllegalArgumentException("not a plain collection name: " + name);
    }
    indexes = indexes.stream().map(List::copyOf).toList();
  }
}
