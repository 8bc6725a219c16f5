package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.MatchStage;
import dev.wisent.pipeline.Stage;
import java.util.List;

/**
 * Filters go before stages that do not change what they look at. Where a stage only gives a field
 * another name, the filter asks for the old one.
 */
final class MatchEarlier implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    MatchStage match = Rule.stage(stages, at + 1, MatchStage.class);
    Stage stage = stages.get(at);
    if (match == null || !stage.letsFiltersPass()) {
      return false;
    }
    var earlier = new EarlierFilter(stage.modifiedPaths());
    return FilterSplit.of(match.filter(), earlier::of).around(stages, at);
  }
}
