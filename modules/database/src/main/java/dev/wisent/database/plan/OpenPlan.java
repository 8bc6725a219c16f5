package dev.wisent.database.plan;

import dev.wisent.bson.RawValue;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Collection;
import dev.wisent.query.sort.SortSpace;
import dev.wisent.storage.Snapshot;
import dev.wisent.storage.StorageEngine;

/**
 * A plan, its records, and the state of the store that they are read from. The state is fixed
 * before the plan is made. A writer tells an index of its first array before it commits, so what
 * the index says after the state was fixed is true of that state.
 *
 * @param snapshot null for a query by {@code _id} alone, which reads the newest state
 */
public record OpenPlan(QueryPlan plan, Snapshot snapshot, RecordSource source)
    implements AutoCloseable {

  /** The caller holds one of the collection's locks, so that its definition fits the state. */
  public static OpenPlan of(
      StorageEngine storage,
      Collection collection,
      Query query,
      SortSpace space,
      OperationContext operation) {
    Snapshot snapshot = storage.snapshot();
    try {
      QueryPlan plan = QueryPlan.of(collection, query, operation);
      return new OpenPlan(plan, snapshot, plan.open(snapshot, space, operation));
    } catch (RuntimeException | Error e) {
      snapshot.close();
      throw e;
    }
  }

  /** The plan of a query by {@code _id} alone, for which no lock is needed. */
  public static OpenPlan ofPointRead(
      StorageEngine storage, Collection collection, RawValue id, OperationContext operation) {
    QueryPlan plan = QueryPlan.byId(collection, id, operation);
    return new OpenPlan(plan, null, plan.open(storage, null, operation));
  }

  @Override
  public void close() {
    source.close();
    if (snapshot != null) {
      snapshot.close();
    }
  }
}
