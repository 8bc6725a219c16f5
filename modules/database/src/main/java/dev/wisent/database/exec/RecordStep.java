package dev.wisent.database.exec;

import dev.wisent.database.index.Index;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.ReadView;
import java.util.function.Consumer;

/** A step at the bottom of a plan that finds records without going along an index. */
abstract class RecordStep extends Step {
  /** Null while the step is suspended. */
  private ReadView view;

  private OperationContext operation;

  RecordStep(StageStats stats, StepContext context) {
    super(stats);
    this.view = context.view();
    this.operation = context.operation();
  }

  final ReadView view() {
    return view;
  }

  final OperationContext operation() {
    return operation;
  }

  @Override
  final void forEachIndex(Consumer<Index> action) {}

  @Override
  void suspendStep() {
    view = null;
  }

  @Override
  void resume(ReadView newer, OperationContext under) {
    operation = under;
    view = newer;
  }

  @Override
  public void close() {}
}
