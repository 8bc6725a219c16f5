package dev.wisent.database.exec;

import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;

/** All rows but the first few. */
final class SkipStep extends UnaryStep {
  private long left;

  SkipStep(StageStats stats, Step input, PlanNode.Skip node) {
    super(stats, input);
    this.left = node.count();
  }

  @Override
  Outcome step() {
    Outcome outcome = input.work();
    if (outcome == Outcome.ADVANCED && left > 0) {
      left--;
      return Outcome.NEED_TIME;
    }
    return outcome;
  }
}
