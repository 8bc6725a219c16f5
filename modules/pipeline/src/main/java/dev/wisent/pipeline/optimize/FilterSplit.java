package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.MatchStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.query.match.AndMatch;
import dev.wisent.query.match.MatchExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A filter in two parts.
 *
 * @param before what can be asked before a stage; empty for nothing
 * @param after what must be asked after it
 */
record FilterSplit(List<MatchExpression> before, List<MatchExpression> after) {
  /**
   * @param earlier makes of a condition the one to ask before; null if there is none
   */
  static FilterSplit of(MatchExpression filter, UnaryOperator<MatchExpression> earlier) {
    var split = new FilterSplit(new ArrayList<>(), new ArrayList<>());
    for (MatchExpression condition : Conjunction.of(filter)) {
      MatchExpression moved = earlier.apply(condition);
      if (moved == null) {
        split.after.add(condition);
      } else {
        split.before.add(moved);
      }
    }
    return split;
  }

  /** Puts the parts around the stage that the filter comes after; whether there was any use. */
  boolean around(List<Stage> stages, int at) {
    if (before.isEmpty()) {
      return false;
    }
    Stage stage = stages.get(at);
    stages.set(at, MatchStage.of(AndMatch.of(before)));
    if (after.isEmpty()) {
      stages.set(at + 1, stage);
    } else {
      stages.set(at + 1, MatchStage.of(AndMatch.of(after)));
      stages.add(at + 1, stage);
    }
    return true;
  }
}
