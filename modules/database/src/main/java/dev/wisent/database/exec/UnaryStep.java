package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.ReadView;
import java.util.function.Consumer;

/** A step whose rows are those of one other, unless it says otherwise. */
abstract class UnaryStep extends Step {
  final Step input;

  UnaryStep(StageStats stats, Step input) {
    super(stats);
    this.input = input;
  }

  @Override
  public long recordId() {
    return input.recordId();
  }

  @Override
  public RawDocument document() {
    return input.document();
  }

  @Override
  public RawDocument keyDocument() {
    return input.keyDocument();
  }

  @Override
  Index index() {
    return input.index();
  }

  @Override
  byte[] indexKey() {
    return input.indexKey();
  }

  @Override
  boolean isFromBefore() {
    return input.isFromBefore();
  }

  @Override
  void forEachIndex(Consumer<Index> action) {
    input.forEachIndex(action);
  }

  @Override
  void suspendStep() {
    input.suspend();
  }

  @Override
  void resume(ReadView view, OperationContext under) {
    input.resume(view, under);
  }

  @Override
  public void close() {
    input.close();
  }
}
