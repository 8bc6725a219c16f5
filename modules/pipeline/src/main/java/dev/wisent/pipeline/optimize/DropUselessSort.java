package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.MatchStage;
import dev.wisent.pipeline.SortStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.query.metadata.MetaType;
import java.util.List;

/** A sort is not needed where a later stage takes documents in any order. */
final class DropUselessSort implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    SortStage sort = Rule.stage(stages, at, SortStage.class);
    if (sort == null || sort.limit() > 0) {
      return false;
    }
    int next = at + 1;
    while (next < stages.size()
        && (stages.get(next).keepsCount() || stages.get(next) instanceof MatchStage)) {
      next++;
    }
    if (next == stages.size()
        || stages.get(next).dependsOnOrder()
        || asksForKeys(stages.subList(at + 1, next + 1))) {
      return false;
    }
    stages.remove(at);
    return true;
  }

  private static boolean asksForKeys(List<Stage> stages) {
    return stages.stream().anyMatch(stage -> stage.metadata().contains(MetaType.SORT_KEY));
  }
}
