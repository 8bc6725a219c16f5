package dev.wisent.database.plan;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.QueryContexts;
import dev.wisent.query.match.ExactId;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.sort.SortPattern;
import dev.wisent.storage.ReadView;

/**
 * How a query is going to be answered.
 *
 * @param id the {@code _id} of a query by that alone, else null
 * @param path how records are reached; null for a query by {@code _id}
 * @param filter what documents must match; null for a query by {@code _id}
 * @param sort the sort that is left to do after reading, or null
 */
public record QueryPlan(
    Collection collection,
    RawValue id,
    AccessPath path,
    MatchExpression filter,
    SortPattern sort,
    long sortLimit,
    boolean tailable) {

  /** A plan without limit, min or max. */
  public static QueryPlan of(
      Collection collection,
      RawDocument query,
      RawDocument sort,
      RawValue hint,
      OperationContext operation) {
    return of(collection, query, sort, hint, null, null, 0, false, operation);
  }

  /**
   * @param sortLimit how many documents of a sort are needed; 0 for all
   * @param tailable whether the scan may be continued at the end
   */
  public static QueryPlan of(
      Collection collection,
      RawDocument query,
      RawDocument sort,
      RawValue hint,
      RawDocument min,
      RawDocument max,
      long sortLimit,
      boolean tailable,
      OperationContext operation) {
    if (hint == null && min == null && max == null && !tailable) {
      RawValue id = ExactId.of(query);
      if (id != null) {
        operation.planSummary("EXPRESS_IXSCAN { _id: 1 }");
        return new QueryPlan(collection, id, null, null, null, 0, false);
      }
    }
    MatchExpression filter = MatchParser.parse(query, QueryContexts.of(operation));
    AccessPath path =
        tailable
            ? new AccessPath.Everything(false)
            : Planner.choose(
                collection, new Planner.Question(filter, sort, hint, min, max));
    operation.planSummary(path.summary());
    if (operation.scansRefused()
        && path instanceof AccessPath.Everything
        && hint == null
        && !query.isEmpty()
        && !collection.namespace().isInternal()) {
      throw new CommandException(
          ErrorCode.NO_QUERY_EXECUTION_PLANS,
          "error processing query: planner returned error :: caused by :: No indexed plans"
              + " available, and running with 'notablescan'");
    }
    boolean sorted =
        sort.isEmpty()
            || sort.get("$natural") != null
            || (path instanceof AccessPath.ByIndex byIndex && byIndex.sorted());
    return new QueryPlan(
        collection,
        null,
        path,
        filter,
        sorted ? null : SortPattern.parse(sort),
        sortLimit,
        tailable);
  }

  /** Whether the plan reads one record by its {@code _id}, for which no snapshot is needed. */
  public boolean isPointRead() {
    return id != null;
  }

  public RecordSource open(ReadView view, OperationContext operation) {
    if (id != null) {
      collection.idIndex().used();
      return new IdLookup(collection, id, view, operation);
    }
    RecordSource source =
        switch (path) {
          case AccessPath.Everything everything ->
              new CollectionScan(
                  collection.ident(), everything.reverse(), filter, tailable, view, operation);
          case AccessPath.ByIndex byIndex -> {
            byIndex.index().used();
            yield new IndexScan(
                collection,
                byIndex.index(),
                byIndex.ranges(),
                byIndex.reverse(),
                filter,
                view,
                operation);
          }
        };
    return sort == null ? source : new SortedSource(source, sort, sortLimit);
  }
}
