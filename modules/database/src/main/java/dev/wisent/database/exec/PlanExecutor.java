package dev.wisent.database.exec;

import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.planner.Branches;
import dev.wisent.database.planner.PlanLimits;
import dev.wisent.database.planner.Planner;
import dev.wisent.database.planner.Query;
import dev.wisent.database.planner.TextQueries;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.snapshot.ReadState;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SortSettings;
import dev.wisent.pipeline.sort.MemoryBudget;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.storage.FixedView;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.StorageEngine;
import java.util.List;
import java.util.function.Supplier;

/** Plans queries and starts their plans. Thread-safe. */
public final class PlanExecutor {
  private final StorageEngine storage;
  private final SortSettings sorting;
  private final Supplier<? extends DocumentOwnership> ownership;
  private final PlanCacheCounters counters = new PlanCacheCounters();

  /**
   * @param ownership is read through plans, too, and is there when the first one is made
   */
  public PlanExecutor(
      StorageEngine storage,
      SortSettings sorting,
      Supplier<? extends DocumentOwnership> ownership) {
    this.storage = storage;
    this.sorting = sorting;
    this.ownership = ownership;
  }

  public DocumentOwnership ownership() {
    return ownership.get();
  }

  /**
   * Plans a query. The caller holds one of the collection's locks, so that its definition fits the
   * state that is read, and starts the result.
   */
  public PlannedQuery plan(Collection collection, Query query, OperationContext operation) {
    return plan(collection, query, false, operation);
  }

  /**
   * @param timed whether steps take their time
   */
  public PlannedQuery plan(
      Collection collection, Query asked, boolean timed, OperationContext operation) {
    FixedView view = view(collection, operation);
    try {
      Query bound = TextQueries.bind(collection, asked);
      OwnedRanges owned = owned(collection, view, bound, operation);
      Query query = owned == null ? bound : bound.ofOwned(owned.key());
      StepContext context = context(collection, view, query.filter(), timed, owned, operation);
      var limits = new PlanLimits();
      Branches branches = Planner.branches(collection, query, limits);
      List<PlanNode> candidates =
          branches == null ? Planner.candidates(collection, query, limits, operation) : null;
      var chooser = new PlanChooser(query, candidates, branches, context, limits, counters);
      return new PlannedQuery(collection, query, view, chooser, operation);
    } catch (RuntimeException | Error e) {
      view.close();
      throw e;
    }
  }

  /**
   * What documents are asked for; null where all count. Where the state has no orphans, those of a
   * query that reads no other one need not be looked at.
   */
  private OwnedRanges owned(
      Collection collection, FixedView view, Query query, OperationContext operation) {
    OwnedRanges owned = ownership().at(view, collection.namespace(), operation);
    boolean ofOneState =
        query.purpose() instanceof Query.Purpose.Count
            || query.purpose() instanceof Query.Purpose.Distinct;
    return ofOneState && collection.orphans().areNone(view) ? null : owned;
  }

  /** The state to read, with the definition that the collection has. */
  private FixedView view(Collection collection, OperationContext operation) {
    ReadState state = ReadState.of(operation);
    if (state != null && !collection.isUnchangedSince(state.view().sequence())) {
      throw ReadState.unavailable(collection.namespace());
    }
    return view(operation);
  }

  /** The state that an operation reads: its own, or the newest; to be closed. */
  public FixedView view(OperationContext operation) {
    ReadState state = ReadState.of(operation);
    return state == null ? storage.snapshot() : state.view().share();
  }

  /** Starts the plan of a query by {@code _id} alone, for which no lock and no state is needed. */
  public RunningPlan startById(Collection collection, PlanNode plan, OperationContext operation) {
    return startById(collection, plan, false, operation);
  }

  /**
   * @param timed whether steps take their time
   */
  public RunningPlan startById(
      Collection collection, PlanNode plan, boolean timed, OperationContext operation) {
    operation.planSummary(() -> PlanSummary.BY_ID);
    if (OperationState.routed(operation) != null) {
      return startOwnedById(collection, plan, timed, operation);
    }
    ReadState state = ReadState.of(operation);
    ReadView view = state == null ? storage : state.view();
    StepContext context = context(collection, view, null, timed, null, operation);
    PlanChoice choice = PlanChoice.only(Steps.open(plan, context));
    return new RunningPlan(collection, null, null, choice, operation);
  }

  /** The document and who owns it are read in one state. */
  private RunningPlan startOwnedById(
      Collection collection, PlanNode plan, boolean timed, OperationContext operation) {
    FixedView view = view(operation);
    try {
      OwnedRanges owned = ownership().at(view, collection.namespace(), operation);
      StepContext context = context(collection, view, null, timed, owned, operation);
      PlanChoice choice = PlanChoice.only(Steps.open(plan, context));
      return new RunningPlan(collection, null, view, choice, operation);
    } catch (RuntimeException | Error e) {
      view.close();
      throw e;
    }
  }

  /** How many documents of a collection count for an operation; looks at none of them. */
  public long countOwned(Collection collection, OperationContext operation) {
    try (FixedView view = view(operation)) {
      OwnedRanges owned = ownership().at(view, collection.namespace(), operation);
      int ident = collection.ident();
      long documents = view.counter(Keyspace.CATALOG, CatalogKeys.documents(ident));
      return owned == null
          ? documents
          : documents - view.counter(Keyspace.CATALOG, CatalogKeys.orphans(ident));
    }
  }

  /** What all operations of the node share. */
  public MemoryBudget memory() {
    return sorting.budget();
  }

  public PlanCacheCounters cacheCounters() {
    return counters;
  }

  private StepContext context(
      Collection collection,
      ReadView view,
      MatchExpression filter,
      boolean timed,
      OwnedRanges owned,
      OperationContext operation) {
    return new StepContext(
        collection, view, operation, filter, () -> sortSpace(operation), timed, owned, ownership());
  }

  SortSpace sortSpace(OperationContext operation) {
    return sorting.space(operation);
  }
}
