package dev.wisent.query.aggregate;

import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.sort.SortSpace;

/** One step of a pipeline, parsed. Immutable; every run opens its own stream. */
public sealed interface Stage
    permits MatchStage,
        SkipStage,
        LimitStage,
        SortStage,
        ProjectStage,
        AddFieldsStage,
        ReplaceRootStage,
        CountStage,
        GroupStage,
        GeoNearStage {
  /**
   * @param space what sorts may use; whoever runs the pipeline closes it at the end
   */
  DocumentStream over(DocumentStream input, SortSpace space);

  /** Whether documents have to carry how well they fit a text search. */
  default boolean needsTextScore() {
    return false;
  }

  /** A filter, if that is all the stage does. */
  default MatchExpression filter() {
    return null;
  }
}
