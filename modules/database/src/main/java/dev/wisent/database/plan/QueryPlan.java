package dev.wisent.database.plan;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Collection;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.sort.SortPattern;
import dev.wisent.query.sort.SortSpace;
import dev.wisent.storage.ReadView;

/**
 * How a query is going to be answered.
 *
 * @param id the {@code _id} of a query by that alone, else null
 * @param path how records are reached; null for a query by {@code _id}
 * @param filter what documents must match; null for a query by {@code _id}
 * @param sort the sort that is left to do after reading, or null
 * @param sortLimit how many documents of a sort are needed; 0 for all
 */
public record QueryPlan(
    Collection collection,
    RawValue id,
    AccessPath path,
    MatchExpression filter,
    SortPattern sort,
    long sortLimit) {

  static QueryPlan byId(Collection collection, RawValue id, OperationContext operation) {
    operation.planSummary("EXPRESS_IXSCAN { _id: 1 }");
    return new QueryPlan(collection, id, null, null, null, 0);
  }

  static QueryPlan of(Collection collection, Query query, OperationContext operation) {
    MatchExpression filter = query.filter();
    SortPattern sort = query.sort();
    AccessPath path =
        query.tailable()
            ? new AccessPath.Everything(false)
            : Planner.choose(
                collection,
                new Planner.Question(
                    filter, query.sortSource(), query.hint(), query.min(), query.max()));
    operation.planSummary(path.summary());
    if (operation.scansRefused() && isRefusedScan(path, query, collection)) {
      throw new CommandException(
          ErrorCode.NO_QUERY_EXECUTION_PLANS,
          "error processing query: planner returned error :: caused by :: No indexed plans"
              + " available, and running with 'notablescan'");
    }
    boolean sorted = path instanceof AccessPath.ByIndex byIndex && byIndex.sorted();
    return new QueryPlan(collection, null, path, filter, sorted ? null : sort, query.sortLimit());
  }

  private static boolean isRefusedScan(AccessPath path, Query query, Collection collection) {
    return path instanceof AccessPath.Everything
        && query.hint() == null
        && !query.filterSource().isEmpty()
        && !collection.namespace().isInternal();
  }

  /** Whether the plan reads one record by its {@code _id}, for which no snapshot is needed. */
  public boolean isPointRead() {
    return id != null;
  }

  /**
   * @param space what a sort may use; closed with the source
   */
  RecordSource open(ReadView view, SortSpace space, OperationContext operation) {
    if (id != null) {
      collection.idIndex().used();
      return new IdLookup(collection, id, view, operation);
    }
    RecordSource source =
        switch (path) {
          case AccessPath.Everything everything ->
              new CollectionScan(collection, everything.reverse(), filter, view, operation);
          case AccessPath.ByIndex byIndex -> {
            byIndex.index().used();
            yield new IndexScan(collection, byIndex, filter, view, operation);
          }
        };
    return sort == null ? source : new SortedSource(source, sort, sortLimit, space);
  }
}
