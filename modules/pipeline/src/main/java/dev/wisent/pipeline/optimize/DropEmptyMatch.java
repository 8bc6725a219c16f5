package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.MatchStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.query.match.AlwaysMatch;
import java.util.List;

/** A {@code $match} that everything passes is not needed. */
final class DropEmptyMatch implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    MatchStage match = Rule.stage(stages, at, MatchStage.class);
    if (match == null || match.filter() != AlwaysMatch.TRUE) {
      return false;
    }
    stages.remove(at);
    return true;
  }
}
