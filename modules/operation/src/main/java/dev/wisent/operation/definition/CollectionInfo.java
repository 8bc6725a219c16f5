package dev.wisent.operation.definition;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import java.util.UUID;

/**
 * A collection or a view.
 *
 * @param uuid null for a view
 * @param options as they are listed
 * @param idIndex the index on {@code _id}; null where there is none of its own
 */
public record CollectionInfo(
    Namespace namespace, UUID uuid, RawDocument options, RawDocument idIndex) {
  public boolean isView() {
    return uuid == null;
  }
}
