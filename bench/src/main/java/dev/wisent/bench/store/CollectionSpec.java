package dev.wisent.bench.store;

import java.util.List;

/**
 * A collection to create.
 *
 * @param indexedFields top-level integer fields, each with an ascending index of its own
 */
public record CollectionSpec(String name, List<String> indexedFields) {
  public CollectionSpec {
    if (!name.matches("[a-z][a-z0-9_]*")) {
      // The name goes into SQL unquoted.
      throw new IllegalArgumentException("not a plain collection name: " + name);
    }
    indexedFields = List.copyOf(indexedFields);
  }
}
