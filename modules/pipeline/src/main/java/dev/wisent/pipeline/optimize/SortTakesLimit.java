package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.LimitStage;
import dev.wisent.pipeline.SortStage;
import dev.wisent.pipeline.Stage;
import java.util.List;

/** A sort of which only the first documents are wanted keeps no others. */
final class SortTakesLimit implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    SortStage sort = Rule.stage(stages, at, SortStage.class);
    LimitStage limit = Rule.stage(stages, at + 1, LimitStage.class);
    if (sort == null || limit == null) {
      return false;
    }
    stages.remove(at + 1);
    stages.set(at, sort.atMost(limit.count()));
    return true;
  }
}
