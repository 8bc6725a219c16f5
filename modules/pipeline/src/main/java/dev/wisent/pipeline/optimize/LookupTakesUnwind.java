package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.UnwindStage;
import dev.wisent.pipeline.join.GraphLookupStage;
import dev.wisent.pipeline.join.LookupStage;
import java.util.List;

/** What is unwound at once need not be put into an array before. */
final class LookupTakesUnwind implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    UnwindStage unwind = Rule.stage(stages, at + 1, UnwindStage.class);
    if (unwind == null) {
      return false;
    }
    Stage together =
        switch (stages.get(at)) {
          case LookupStage lookup when lookup.takesUnwind(unwind) -> lookup.withUnwind(unwind);
          case GraphLookupStage lookup when lookup.takesUnwind(unwind) -> lookup.withUnwind(unwind);
          default -> null;
        };
    if (together == null) {
      return false;
    }
    stages.set(at, together);
    stages.remove(at + 1);
    return true;
  }
}
