package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.ReadView;
import java.util.function.Consumer;

/** No rows. */
final class EofStep extends Step {
  EofStep(StageStats stats) {
    super(stats);
  }

  @Override
  Outcome step() {
    return Outcome.END;
  }

  @Override
  public long recordId() {
    throw new IllegalStateException("there is no row");
  }

  @Override
  public RawDocument document() {
    throw new IllegalStateException("there is no row");
  }

  @Override
  void forEachIndex(Consumer<Index> action) {}

  @Override
  void suspendStep() {}

  @Override
  void resume(ReadView view, OperationContext under) {}

  @Override
  public void close() {}
}
