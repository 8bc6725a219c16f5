package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.SkipStage;
import dev.wisent.pipeline.Stage;
import java.util.List;

/** Two skips in a row leave out what both do; one of nothing is not needed. */
final class MergeSkips implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    SkipStage first = Rule.stage(stages, at, SkipStage.class);
    SkipStage second = Rule.stage(stages, at + 1, SkipStage.class);
    if (first != null && first.count() == 0) {
      stages.remove(at);
      return true;
    }
    if (first == null || second == null || first.count() + second.count() < 0) {
      return false;
    }
    stages.remove(at + 1);
    stages.set(at, new SkipStage(first.count() + second.count()));
    return true;
  }
}
