package dev.wisent.cluster.config;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.cluster.coordinator.CoordinatorStore;
import dev.wisent.operation.OperationContext;
import java.util.List;

/** Coordinators as documents of {@code config.system.sharding_ddl_coordinators}. */
final class CoordinatorCollection implements CoordinatorStore {
  static final String NAME = "system.sharding_ddl_coordinators";

  private final CatalogStore store;

  CoordinatorCollection(CatalogStore store) {
    this.store = store;
  }

  @Override
  public List<RawDocument> all(OperationContext operation) {
    return store.find(operation, NAME, RawDocument.EMPTY);
  }

  @Override
  public void put(OperationContext operation, RawDocument document) {
    store.put(operation, NAME, document);
  }

  @Override
  public void remove(OperationContext operation, RawValue id) {
    store.remove(operation, NAME, id);
  }
}
