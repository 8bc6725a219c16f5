package dev.wisent.database.collection;

import dev.wisent.operation.Namespace;

/** Collections that a transaction has created and not committed: only its statements find them. */
public interface PendingCollections {
  /** The collection of this name; null if the transaction has created none. */
  Collection pending(Namespace namespace);
}
