package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;

/** A row, with nothing in it, for each record that has a key within bounds. */
final class CountScanStep extends KeyScanStep {
  CountScanStep(StageStats stats, PlanNode.CountScan node, StepContext context) {
    super(stats, node.index(), node.bounds(), false, true, context);
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

  @Override
  public RawDocument keyDocument() {
    return null;
  }
}
