package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.LimitStage;
import dev.wisent.pipeline.SkipStage;
import dev.wisent.pipeline.Stage;
import java.util.List;

/** A limit goes before a skip, made larger by it, to come near to a sort that can use it. */
final class LimitBeforeSkip implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    SkipStage skip = Rule.stage(stages, at, SkipStage.class);
    LimitStage limit = Rule.stage(stages, at + 1, LimitStage.class);
    // A sum that is too large for a long comes out negative.
    if (skip == null || limit == null || skip.count() + limit.count() < 0) {
      return false;
    }
    stages.set(at, new LimitStage(skip.count() + limit.count()));
    stages.set(at + 1, skip);
    return true;
  }
}
