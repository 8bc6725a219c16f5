package dev.wisent.pipeline.changestream;

import static dev.wisent.pipeline.StageTrait.FIRST;
import static dev.wisent.pipeline.StageTrait.IN_CHANGE_STREAMS;
import static dev.wisent.pipeline.StageTrait.NOT_IN_FACET;
import static dev.wisent.pipeline.StageTrait.NOT_NESTED;
import static dev.wisent.pipeline.StageTrait.ONLY_IN_CHANGE_STREAMS;

import dev.wisent.pipeline.StageRow;
import java.util.List;

/** The table of stages of change streams. */
public final class ChangeStreamStages {
  public static final List<StageRow> ROWS =
      List.of(
          StageRow.of(
              ChangeStreamStage.NAME, ChangeStreamStage::parse, FIRST, NOT_IN_FACET, NOT_NESTED),
          StageRow.of(
              ChangeStreamSplitLargeEventStage.NAME,
              (argument, context) -> ChangeStreamSplitLargeEventStage.parse(argument),
              NOT_IN_FACET,
              NOT_NESTED,
              IN_CHANGE_STREAMS,
              ONLY_IN_CHANGE_STREAMS));

  private ChangeStreamStages() {}
}
