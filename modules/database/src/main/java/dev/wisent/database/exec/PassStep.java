package dev.wisent.database.exec;

import dev.wisent.database.plan.StageStats;

/** A step that only says how its input was planned. */
final class PassStep extends UnaryStep {
  PassStep(StageStats stats, Step input) {
    super(stats, input);
  }

  @Override
  Outcome step() {
    return input.work();
  }
}
