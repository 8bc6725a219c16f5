package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.SortStage;
import dev.wisent.pipeline.Stage;
import java.util.List;

/** Of two sorts in a row the second one decides, unless the first one leaves documents out. */
final class DropEarlierSort implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    SortStage first = Rule.stage(stages, at, SortStage.class);
    if (first == null || first.limit() > 0 || Rule.stage(stages, at + 1, SortStage.class) == null) {
      return false;
    }
    stages.remove(at);
    return true;
  }
}
