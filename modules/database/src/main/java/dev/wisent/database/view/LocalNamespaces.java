package dev.wisent.database.view;

import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.CatalogChanges;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.Operations;

/**
 * The collections and views of one store of this node, as the stages of pipelines use them. A name
 * that an operation gives may be that of a view.
 */
public interface LocalNamespaces extends Operations {
  Catalog catalog();

  CatalogChanges changes();

  Views views();

  /** What this node owns as a shard. */
  Ownership ownership();

  /** Keeps writes out where this node does not take them. */
  WriteGate writeGate();
}
