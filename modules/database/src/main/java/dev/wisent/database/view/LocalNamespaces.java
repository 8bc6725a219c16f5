package dev.wisent.database.view;

import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.CatalogChanges;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;

/**
 * The collections and views of one store of this node, as the stages of pipelines use them. A name
 * that an operation gives may be that of a view.
 */
public interface LocalNamespaces extends Operations {
  Catalog catalog();

  CatalogChanges changes();

  Views views();

  /** Fails where the documents of a collection are not all here for an operation. */
  void checkWhole(Namespace namespace, OperationContext operation);
}
