package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.LimitStage;
import dev.wisent.pipeline.Stage;
import java.util.List;

/** Of two limits in a row the smaller one counts. */
final class MergeLimits implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    LimitStage first = Rule.stage(stages, at, LimitStage.class);
    LimitStage second = Rule.stage(stages, at + 1, LimitStage.class);
    if (first == null || second == null) {
      return false;
    }
    stages.remove(at + 1);
    stages.set(at, new LimitStage(Math.min(first.count(), second.count())));
    return true;
  }
}
