package dev.wisent.database.exec;

import dev.wisent.database.collection.Collection;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.planner.Query;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.FixedView;

/**
 * A query with its possible plans and the state of the store that they were made for. It is to be
 * started once, which may take a while where plans compete: no lock is needed any more.
 */
public final class PlannedQuery {
  private final Collection collection;
  private final Query query;
  private final FixedView view;
  private final PlanChooser chooser;
  private final OperationContext operation;

  PlannedQuery(
      Collection collection,
      Query query,
      FixedView view,
      PlanChooser chooser,
      OperationContext operation) {
    this.collection = collection;
    this.query = query;
    this.view = view;
    this.chooser = chooser;
    this.operation = operation;
  }

  public PlanChooser chooser() {
    return chooser;
  }

  /** Starts the plan that won before, or that wins now. */
  public RunningPlan start() {
    return start(false);
  }

  /** Has the plans compete in any case, and leaves no trace of it. */
  public RunningPlan startForExplain() {
    return start(true);
  }

  private RunningPlan start(boolean forExplain) {
    try {
      PlanChoice choice = forExplain ? chooser.raceOnly() : chooser.choose();
      PlanNode plan = choice.root().stats().node();
      operation.planSummary(() -> PlanSummary.of(plan));
      operation.plan(chooser);
      return new RunningPlan(collection, query, view, choice, operation);
    } catch (RuntimeException | Error e) {
      view.close();
      throw e;
    }
  }
}
