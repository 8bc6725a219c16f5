package dev.wisent.query.aggregate;

import dev.wisent.query.match.MatchExpression;

/** One step of a pipeline, parsed. Immutable; every run opens its own stream. */
public sealed interface Stage
    permits MatchStage, SkipStage, LimitStage, SortStage, ProjectStage, CountStage, GroupStage {
  DocumentStream over(DocumentStream input);

  /** A filter, if that is all the stage does. */
  default MatchExpression filter() {
    return null;
  }
}
