package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.MatchStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.join.UnionWithStage;
import java.util.List;

/** A filter of a union filters both of its parts. */
final class MatchInUnion implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    UnionWithStage union = Rule.stage(stages, at, UnionWithStage.class);
    MatchStage match = Rule.stage(stages, at + 1, MatchStage.class);
    if (union == null || match == null) {
      return false;
    }
    stages.set(at, match);
    stages.set(at + 1, union.with(match));
    return true;
  }
}
