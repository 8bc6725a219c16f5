package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.GeoNearStage;
import dev.wisent.pipeline.MatchStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.query.match.AlwaysMatch;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchNormalForm;
import java.util.List;

/** What comes before a {@code $match} that nothing passes need not be done. */
final class NothingMatches implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    MatchStage match = Rule.stage(stages, at, MatchStage.class);
    if (match == null || at == 0 || stages.getFirst() instanceof GeoNearStage) {
      return false;
    }
    MatchExpression filter = MatchNormalForm.of(match.filter());
    if (filter != AlwaysMatch.FALSE) {
      return false;
    }
    stages.subList(0, at + 1).clear();
    stages.addFirst(MatchStage.of(filter));
    return true;
  }
}
