package dev.wisent.server.analysis;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;

/** Finds what analyses are about. */
public interface AnalyzedCollections {
  /** The collection or view of a name; null if there is none. */
  AnalyzedCollection find(OperationContext operation, Namespace namespace);

  /**
   * The reply of the node that has most of a collection's documents to a command of the database
   * {@code admin}; null where that is this node.
   */
  RawDocument askOwner(OperationContext operation, Namespace namespace, RawDocument command);
}
