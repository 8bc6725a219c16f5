package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.UnwindStage;
import dev.wisent.pipeline.join.JoinStage;
import java.util.List;

/** What is unwound at once need not be put into an array before. */
final class LookupTakesUnwind implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    JoinStage join = Rule.stage(stages, at, JoinStage.class);
    UnwindStage unwind = Rule.stage(stages, at + 1, UnwindStage.class);
    if (join == null || unwind == null || !join.takesUnwind(unwind)) {
      return false;
    }
    stages.set(at, join.withUnwind(unwind));
    stages.remove(at + 1);
    return true;
  }
}
