package dev.wisent.database.exec;

import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.Query;
import dev.wisent.database.plan.QueryShape;
import java.util.ArrayDeque;
import java.util.List;

/** Chooses among the plans of a query: the only one, the one that won before, or by a race. */
final class PlanChooser {
  /** MongoDB's internalQueryCacheEvictionRatio. */
  private static final long WORKS_RATIO_MAX = 10;

  private final Query query;
  private final List<PlanNode> plans;
  private final StepContext context;
  private QueryShape shape;

  PlanChooser(Query query, List<PlanNode> plans, StepContext context) {
    this.query = query;
    this.plans = plans;
    this.context = context;
  }

  PlanChoice choose() {
    if (plans.size() == 1) {
      return PlanChoice.only(Steps.open(plans.getFirst(), context));
    }
    PlanCache.Entry known = cache().findActive(key());
    PlanNode plan = known == null ? null : find(known.plan());
    return plan == null
        ? race()
        : new PlanChoice(
            Steps.open(plan, context),
            new ArrayDeque<>(0),
            List.of(),
            this,
            known.works() * WORKS_RATIO_MAX);
  }

  private PlanNode find(String outline) {
    for (PlanNode plan : plans) {
      if (PlanOutline.of(plan).equals(outline)) {
        return plan;
      }
    }
    return null;
  }

  /** Lets the plans compete, and remembers who won. */
  PlanChoice race() {
    PlanChoice choice = raceOnly();
    cache()
        .add(
            PlanCache.won(
                key(),
                query,
                shape(),
                indexFilterSet(),
                context.operation().clock().wallMillis(),
                choice.candidates()));
    return choice;
  }

  /** Lets the plans compete, if there are several, without a trace. */
  PlanChoice raceOnly() {
    if (plans.size() == 1) {
      return PlanChoice.only(Steps.open(plans.getFirst(), context));
    }
    PlanRace.Outcome outcome = new PlanRace(plans, context, query.limit()).run();
    return new PlanChoice(
        outcome.winner(), outcome.rows(), outcome.candidates(), null, Long.MAX_VALUE);
  }

  void forget() {
    cache().deactivate(key());
  }

  private PlanCache cache() {
    return context.collection().planCache();
  }

  boolean indexFilterSet() {
    return context.collection().indexFilters().find(query) != null;
  }

  QueryShape shape() {
    if (shape == null) {
      shape = query.shape();
    }
    return shape;
  }

  /** The shape with the indexes that plans use for these values: not every value fits all. */
  String key() {
    return shape().text() + "|" + String.join(",", PlanOutline.indexNames(plans));
  }

  String keyHash() {
    return QueryShape.hash(key());
  }

  /** Whether the cache would have chosen this plan. */
  boolean isCached(PlanNode plan) {
    PlanCache.Entry known = cache().findActive(key());
    return known != null && known.plan().equals(PlanOutline.of(plan));
  }
}
