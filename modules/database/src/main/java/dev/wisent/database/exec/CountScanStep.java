package dev.wisent.database.exec;

import dev.wisent.database.OperationContext;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.storage.ReadView;

/** A row, with nothing in it, for each record that has a key within bounds. */
final class CountScanStep extends KeyScanStep {
  private LongSet seen;

  CountScanStep(StageStats stats, PlanNode.CountScan node, StepContext context) {
    super(stats, node.index(), node.bounds(), false, context);
    expectSeveralKeys();
  }

  private void expectSeveralKeys() {
    if (seen == null && mayRepeatRecords()) {
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
  void resume(ReadView view, OperationContext under) {
    super.resume(view, under);
    expectSeveralKeys();
  }
}
