package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.storage.ReadView;
import java.util.function.Consumer;

/** A row, with nothing in it, for each record that has a key within bounds. */
final class CountScanStep extends Step {
  private final Index index;
  private final KeyScan keys;
  private LongSet seen;

  CountScanStep(StageStats stats, PlanNode.CountScan node, StepContext context) {
    super(stats);
    this.index = node.index();
    this.keys = new KeyScan(index, node.bounds(), false, stats, context);
    index.used();
    expectSeveralKeys();
  }

  private void expectSeveralKeys() {
    if (seen == null && (index.isMultikey() || index.kind() == Index.Kind.WILDCARD)) {
      seen = new LongSet();
    }
  }

  @Override
  Outcome step() {
    Outcome outcome = keys.advance();
    if (outcome == Outcome.END && !stats.ended) {
      // As in MongoDB, which counts the look at the end too.
      stats.keysExamined++;
    }
    return outcome == Outcome.ADVANCED && isSeen() ? Outcome.NEED_TIME : outcome;
  }

  private boolean isSeen() {
    return seen != null && !seen.add(keys.recordId());
  }

  @Override
  public long recordId() {
    return keys.recordId();
  }

  @Override
  public RawDocument document() {
    return null;
  }

  @Override
  void forEachIndex(Consumer<Index> action) {
    action.accept(index);
  }

  @Override
  void suspendStep() {
    keys.suspend();
  }

  @Override
  void resume(ReadView view, OperationContext under) {
    keys.resume(view, under);
    expectSeveralKeys();
  }

  @Override
  public void close() {
    keys.close();
  }
}
