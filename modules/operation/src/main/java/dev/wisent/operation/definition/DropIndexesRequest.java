package dev.wisent.operation.definition;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import java.util.List;

/**
 * Indexes to drop: by names, by key pattern, or all but the one on {@code _id}.
 *
 * @param names null for those with the key pattern, or all
 * @param key the key pattern of one index; null for those with the names, or all
 */
public record DropIndexesRequest(Namespace namespace, List<String> names, RawDocument key) {
  /** Whether all indexes but the one on {@code _id} are to go. */
  public boolean isAll() {
    return names == null && key == null;
  }
}
