package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.window.WindowStage;
import java.util.List;
import java.util.Set;

/**
 * A window's list of values is not made where no later stage looks at it: every document would have
 * one, and each may be as long as there are documents.
 */
final class DropUnneededLists implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    WindowStage window = Rule.stage(stages, at, WindowStage.class);
    if (window == null) {
      return false;
    }
    Set<String> needed = NeededFields.of(stages.subList(at + 1, stages.size()));
    WindowStage less = needed == null ? window : window.withoutUnneeded(needed);
    if (less == window) {
      return false;
    }
    stages.set(at, less);
    return true;
  }
}
