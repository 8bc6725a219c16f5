package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.ReadView;
import java.util.List;
import java.util.function.Consumer;

/** Rows of several steps, one step after the other, each record once. */
final class OrStep extends Step {
  private final List<Step> inputs;
  private final LongSet seen = new LongSet();
  private int current;

  OrStep(StageStats stats, List<Step> inputs) {
    super(stats);
    this.inputs = inputs;
  }

  @Override
  Outcome step() {
    if (current == inputs.size()) {
      return Outcome.END;
    }
    Step input = inputs.get(current);
    return switch (input.work()) {
      case ADVANCED -> isSeen(input.recordId()) ? Outcome.NEED_TIME : Outcome.ADVANCED;
      case NEED_TIME -> Outcome.NEED_TIME;
      case END -> {
        input.close();
        current++;
        yield current == inputs.size() ? Outcome.END : Outcome.NEED_TIME;
      }
    };
  }

  private boolean isSeen(long recordId) {
    stats.duplicatesTested++;
    if (seen.add(recordId)) {
      return false;
    }
    stats.duplicatesDropped++;
    return true;
  }

  private Step row() {
    return inputs.get(current);
  }

  @Override
  public long recordId() {
    return row().recordId();
  }

  @Override
  public RawDocument document() {
    return row().document();
  }

  @Override
  public RawDocument keyDocument() {
    return row().keyDocument();
  }

  @Override
  Index index() {
    return row().index();
  }

  @Override
  byte[] indexKey() {
    return row().indexKey();
  }

  @Override
  boolean isFromBefore() {
    return row().isFromBefore();
  }

  @Override
  void forEachIndex(Consumer<Index> action) {
    inputs.subList(current, inputs.size()).forEach(input -> input.forEachIndex(action));
  }

  @Override
  void suspendStep() {
    inputs.subList(current, inputs.size()).forEach(Step::suspend);
  }

  @Override
  void resume(ReadView view, OperationContext under) {
    inputs.subList(current, inputs.size()).forEach(input -> input.resume(view, under));
  }

  @Override
  public void close() {
    inputs.forEach(Step::close);
  }
}
