package dev.wisent.cluster.config;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.cluster.config.metadata.KeptOutcomes;
import dev.wisent.cluster.coordinator.CoordinatorStore;
import dev.wisent.cluster.coordinator.TermWrites;
import dev.wisent.operation.OperationContext;
import java.util.List;
import java.util.UUID;

/** Coordinators as documents of {@code config.system.sharding_ddl_coordinators}. */
final class CoordinatorCollection implements CoordinatorStore {
  static final String NAME = "system.sharding_ddl_coordinators";

  private final CatalogStore store;
  private final KeptOutcomes outcomes;
  private final TermWrites writes;

  CoordinatorCollection(CatalogStore store, TermWrites writes) {
    this.store = store;
    this.writes = writes;
    this.outcomes = new KeptOutcomes(store);
  }

  @Override
  public List<RawDocument> all(OperationContext operation) {
    return store.find(operation, NAME, RawDocument.EMPTY);
  }

  @Override
  public long term() {
    return writes.term();
  }

  @Override
  public void put(OperationContext operation, RawDocument document, long term) {
    writes.run(operation, term, false, () -> store.put(operation, NAME, document));
  }

  @Override
  public void remove(OperationContext operation, RawValue id, RawDocument outcome, long term) {
    writes.run(
        operation,
        term,
        false,
        () -> {
          if (outcome != null) {
            store.put(operation, KeptOutcomes.COLLECTION, outcome);
          }
          store.remove(operation, NAME, id);
        });
  }

  @Override
  public RawDocument outcome(OperationContext operation, UUID key) {
    return outcomes.find(operation, key);
  }
}
