package dev.wisent.database.collection;

import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;

/** Counts the documents that this node, as a shard, does not own. */
public interface OrphanCounter {
  /** Those that a collection would have under a name. It has no writers. */
  long count(Collection collection, Namespace name, OperationContext operation);
}
