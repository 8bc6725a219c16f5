package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.LimitStage;
import dev.wisent.pipeline.SkipStage;
import dev.wisent.pipeline.Stage;
import java.util.List;

/** What is left out later need not be shaped before. */
final class CutBeforeShaping implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    boolean cuts =
        Rule.stage(stages, at + 1, LimitStage.class) != null
            || Rule.stage(stages, at + 1, SkipStage.class) != null;
    if (!cuts || !stages.get(at).keepsCount()) {
      return false;
    }
    stages.add(at, stages.remove(at + 1));
    return true;
  }
}
