package dev.wisent.database.exec;

import dev.wisent.database.plan.StageStats;

/** The first few rows. */
final class LimitStep extends UnaryStep {
  private long left;

  LimitStep(StageStats stats, Step input, long count) {
    super(stats, input);
    this.left = count;
  }

  @Override
  Outcome step() {
    if (left == 0) {
      return Outcome.END;
    }
    Outcome outcome = input.work();
    if (outcome == Outcome.ADVANCED) {
      left--;
    }
    return outcome;
  }

  /** Whether there is nothing more to come, without another call. */
  boolean isReached() {
    return left == 0;
  }
}
