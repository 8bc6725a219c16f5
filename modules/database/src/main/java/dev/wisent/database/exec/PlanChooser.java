package dev.wisent.database.exec;

import dev.wisent.database.plan.Branches;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.Query;
import dev.wisent.database.plan.QueryShape;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Function;

/** Chooses among the plans of a query: the only one, the one that won before, or by a race. */
final class PlanChooser {
  /** MongoDB's internalQueryCacheEvictionRatio. */
  private static final long WORKS_RATIO_MAX = 10;

  private final Query query;
  private final StepContext context;

  /** Null as soon as each branch has its plan. */
  private Branches branches;

  /** Null until each branch has its plan. */
  private List<PlanNode> plans;

  private QueryShape shape;

  PlanChooser(Query query, List<PlanNode> plans, StepContext context) {
    this.query = query;
    this.plans = plans;
    this.context = context;
  }

  /**
   * @param branches those of a disjunction, among whose plans are chosen first
   */
  PlanChooser(Query query, Branches branches, StepContext context) {
    this(query, (List<PlanNode>) null, context);
    this.branches = branches;
  }

  PlanChoice choose() {
    decideBranches(PlanChooser::choose);
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
    PlanChoice choice = deciding.apply(new PlanChooser(branch.query(), branch.plans(), context));
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
    decideBranches(PlanChooser::raceOnly);
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
