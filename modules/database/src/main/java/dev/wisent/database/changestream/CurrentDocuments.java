package dev.wisent.database.changestream;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import java.util.UUID;

/** The newest versions of documents. Thread-safe. */
@FunctionalInterface
public interface CurrentDocuments {
  /**
   * @param uuid of the collection; one of the same name that has another is not read
   * @param key the document's {@code _id}, and its shard key if it has one
   * @return null if there is no such document
   */
  RawDocument find(Namespace namespace, UUID uuid, RawDocument key, OperationContext operation);
}
