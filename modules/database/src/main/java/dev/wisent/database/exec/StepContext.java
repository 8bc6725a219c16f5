package dev.wisent.database.exec;

import dev.wisent.database.collection.Collection;
import dev.wisent.operation.OperationContext;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.sharding.OwnedKeys;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.storage.ReadView;
import java.util.function.Supplier;

/**
 * What the steps of a plan are opened with.
 *
 * @param filter the whole query, for projections that need to know which array element matched;
 *     null for a query by {@code _id} alone
 * @param sortSpaces makes what one sort may use
 * @param timed whether steps take their time
 * @param owned the shard keys whose documents count; null where all do
 * @param ownership what knows these in other states
 */
record StepContext(
    Collection collection,
    ReadView view,
    OperationContext operation,
    MatchExpression filter,
    Supplier<SortSpace> sortSpaces,
    boolean timed,
    OwnedRanges owned,
    DocumentOwnership ownership) {

  /** What documents are asked with; null where all count. */
  OwnedKeys ownedKeys() {
    return owned == null ? null : new OwnedKeys(owned);
  }
}
