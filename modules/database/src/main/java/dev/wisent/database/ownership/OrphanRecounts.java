package dev.wisent.database.ownership;

import dev.wisent.base.Clock;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.OrphanCounter;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.sharding.OwnedKeys;
import java.util.function.BiFunction;

/**
 * Counts anew which documents this shard does not own, where that changes without a write of
 * documents. Writes count by the tables; these change only while there are none. Thread-safe.
 */
public final class OrphanRecounts implements OrphanCounter {
  private final Ownership ownership;
  private final Catalog catalog;
  private final Clock clock;
  private final BiFunction<OperationContext, FindRequest, ResultCursor> reader;

  /**
   * @param reader finds documents of collections
   */
  public OrphanRecounts(
      Ownership ownership,
      Catalog catalog,
      Clock clock,
      BiFunction<OperationContext, FindRequest, ResultCursor> reader) {
    this.ownership = ownership;
    this.catalog = catalog;
    this.clock = clock;
    this.reader = reader;
  }

  /**
   * Has the transaction that changes the tables set how many documents of a collection are not
   * owned. Nothing happens where there is no collection.
   */
  public void recount(Namespace namespace, long orphans, OperationContext operation) {
    Collection collection = catalog.find(namespace);
    if (collection != null) {
      ((RecountScope) OperationState.scope(operation))
          .recount(collection, orphans - collection.orphans().count());
    }
  }

  /** The same where it is known by how many there are more. */
  public void add(Namespace namespace, long more, OperationContext operation) {
    Collection collection = catalog.find(namespace);
    if (collection != null && more != 0) {
      ((RecountScope) OperationState.scope(operation)).recount(collection, more);
    }
  }

  @Override
  public long count(Collection collection, Namespace name, OperationContext operation) {
    OwnedKeys keys = ownership.ownedKeys(name);
    if (keys == null) {
      return 0;
    }
    long count = 0;
    FindRequest all = FindRequest.of(collection.namespace(), RawDocument.EMPTY);
    try (ResultCursor documents = reader.apply(OperationContext.internal(clock), all)) {
      for (RawDocument each; (each = documents.peek()) != null; documents.take()) {
        operation.checkInterrupt();
        count += keys.has(each) ? 0 : 1;
      }
    }
    return count;
  }
}
