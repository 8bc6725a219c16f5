package dev.wisent.database.exec;

import dev.wisent.database.plan.PlanCache;
import dev.wisent.database.plan.PlanCandidate;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.PlanOutline;
import dev.wisent.database.plan.QueryShape;
import dev.wisent.database.planner.Branches;
import dev.wisent.database.planner.PlanLimits;
import dev.wisent.database.planner.Query;
import dev.wisent.operation.PlanIdentity;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Function;

/** Chooses among the plans of a query: the only one, the one that won before, or by a race. */
public final class PlanChooser implements PlanIdentity {
  /** MongoDB's internalQueryCacheEvictionRatio. */
  private static final long WORKS_RATIO_MAX = 10;

  private final Query query;
  private final StepContext context;
  private final PlanLimits limits;
  private final PlanCacheCounters counters;

  /** Null as soon as each branch has its plan. */
  private Branches branches;

  /** Null until each branch has its plan. */
  private List<PlanNode> plans;

  private QueryShape shape;

  /**
   * @param plans null where each branch is to be decided first
   * @param branches those of a disjunction, among whose plans are chosen first; null for none
   */
  PlanChooser(
      Query query,
      List<PlanNode> plans,
      Branches branches,
      StepContext context,
      PlanLimits limits,
      PlanCacheCounters counters) {
    this.query = query;
    this.plans = plans;
    this.branches = branches;
    this.context = context;
    this.limits = limits;
    this.counters = counters;
  }

  PlanChoice choose() {
    decideBranches(PlanChooser::choose);
    if (plans.size() == 1) {
      countOnly();
      return PlanChoice.only(Steps.open(plans.getFirst(), context));
    }
    PlanCache.Entry known = cache().findActive(key());
    PlanNode plan = known == null ? null : find(known.plan());
    if (plan == null) {
      counters.miss();
    } else {
      counters.hit();
    }
    return plan == null
        ? race()
        : new PlanChoice(
            Steps.open(plan, context),
            new ArrayDeque<>(0),
            List.of(),
            this,
            known.works() * WORKS_RATIO_MAX);
  }

  /** The only plan of a query is not cached, but others of the same shape may have had more. */
  private void countOnly() {
    if (query.isCacheable()) {
      counters.miss();
    } else {
      counters.skip();
    }
  }

  private void decideBranches(Function<PlanChooser, PlanChoice> deciding) {
    if (branches != null) {
      plans =
          branches.plansWith(
              branches.all().stream().map(branch -> decide(branch, deciding)).toList());
      branches = null;
    }
  }

  private PlanNode decide(Branches.Branch branch, Function<PlanChooser, PlanChoice> deciding) {
    if (branch.plans().size() == 1) {
      return branch.plans().getFirst();
    }
    PlanChoice choice =
        deciding.apply(
            new PlanChooser(branch.query(), branch.plans(), null, context, limits, counters));
    try (Step root = choice.root()) {
      return root.stats().node();
    }
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
    cache().add(won(choice.candidates()));
    return choice;
  }

  private PlanCache.Entry won(List<PlanCandidate> candidates) {
    PlanCandidate winner = candidates.getFirst();
    return new PlanCache.Entry(
        key(),
        shape(),
        query.filterSource().detached(),
        query.sortSource().detached(),
        query.projectionSource().detached(),
        indexFilterSet(),
        false,
        winner.trial().works,
        context.operation().clock().wallMillis(),
        PlanOutline.of(winner.stats().node()),
        candidates);
  }

  /** Lets the plans compete, if there are several, without a trace. */
  PlanChoice raceOnly() {
    decideBranches(PlanChooser::raceOnly);
    if (plans.size() == 1) {
      return PlanChoice.only(Steps.open(plans.getFirst(), context));
    }
    PlanRace.Outcome outcome = new PlanRace(plans, context, query.limit()).run();
    return new PlanChoice(
        outcome.winner(), outcome.rows(), outcome.candidates(), null, Long.MAX_VALUE);
  }

  void forget() {
    counters.replan();
    cache().deactivate(key());
  }

  private PlanCache cache() {
    return context.collection().planCache();
  }

  public boolean indexFilterSet() {
    return context.collection().indexFilters().find(this::shape) != null;
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

  public PlanLimits limits() {
    return limits;
  }

  @Override
  public String shapeHash() {
    return shape().hash();
  }

  @Override
  public String cacheKeyHash() {
    return QueryShape.hash(key());
  }

  /** Whether the cache would have chosen this plan. */
  public boolean isCached(PlanNode plan) {
    PlanCache.Entry known = cache().findActive(key());
    return known != null && known.plan().equals(PlanOutline.of(plan));
  }
}
