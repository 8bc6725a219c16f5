package dev.wisent.database.planner;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.plan.IndexFilters;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.match.MatchExpression;
import java.util.List;

/**
 * Makes the plans of a query.
 *
 * <p>A query by {@code _id} alone has no business here: {@link Query#exactId} finds it before
 * anything is parsed, and its plan is {@link PlanNode.IdLookup}.
 */
public final class Planner {
  private Planner() {}

  /**
   * The plans that can answer a query, at least one, the best guess first. Several are to be raced.
   * The caller holds one of the collection's locks and took its snapshot before.
   *
   * <p>What the trees are like:
   *
   * <ul>
   *   <li>For {@code find} the tree is complete: fetch, sort, skip, limit and projection are steps
   *       of it. {@code showRecordId} is not a step. A covered projection stands above an index
   *       scan without {@link PlanNode.Fetch}. An index key has null for a missing field too, so a
   *       plan that makes documents from keys must look into the document where it meets a null.
   *   <li>For writes and for values to be made distinct each row has its document.
   *   <li>For {@code count} rows have no documents where the index answers alone; skip and limit
   *       are not steps, the one who counts sees to them.
   *   <li>For {@code distinct} the leaf is a {@link PlanNode.DistinctScan} without a fetch where an
   *       index gives the values; here too a null may be a missing field.
   *   <li>The filter of an {@link PlanNode.IndexScan} has conditions on paths of the index that
   *       have met no array, so each is asked with {@link MatchExpression#matchesValue} of the
   *       value in the key.
   *   <li>The rows of the inputs of {@link PlanNode.SortMerge} have index keys with all fields of
   *       the sort, below a fetch or not.
   *   <li>A multikey index may find a record several times; a scan gives it once.
   * </ul>
   *
   * @param limits is told which bounds were reached
   * @throws CommandException if the hint, min or max fit no index, or scans are refused
   */
  public static List<PlanNode> candidates(
      Collection collection, Query query, PlanLimits limits, OperationContext operation) {
    List<PlanNode> plans = plans(collection, query, limits).make();
    if (operation.scansRefused() && isRefusedScan(plans.getFirst(), query, collection)) {
      throw new CommandException(
          ErrorCode.NO_QUERY_EXECUTION_PLANS,
          "error processing query: planner returned error :: caused by :: No indexed plans"
              + " available, and running with 'notablescan'");
    }
    return plans;
  }

  /**
   * The branches of a disjunction that are to be planned by themselves, in place of {@link
   * #candidates}; null where there is nothing to choose between. What the caller holds is the same.
   */
  public static Branches branches(Collection collection, Query query, PlanLimits limits) {
    return query.filterSource().get("$or") == null
        ? null
        : plans(collection, query, limits).branches();
  }

  private static CandidatePlans plans(Collection collection, Query query, PlanLimits limits) {
    IndexFilters.Filter filter = collection.indexFilters().find(query::shape);
    return filter == null
        ? new CandidatePlans(collection, query, index -> true, limits)
        : new CandidatePlans(collection, query.withoutHint(), filter::allows, limits);
  }

  private static boolean isRefusedScan(PlanNode plan, Query query, Collection collection) {
    return query.hint() == null
        && !query.filterSource().isEmpty()
        && !collection.namespace().isInternal()
        && hasCollectionScan(plan);
  }

  private static boolean hasCollectionScan(PlanNode plan) {
    return plan instanceof PlanNode.CollectionScan
        || plan.children().stream().anyMatch(Planner::hasCollectionScan);
  }
}
