package dev.wisent.pipeline.write;

import static dev.wisent.pipeline.StageTrait.LAST;
import static dev.wisent.pipeline.StageTrait.NOT_IN_FACET;

import dev.wisent.pipeline.StageRow;
import java.util.List;

/** The table of stages that write. */
public final class WriteStages {
  public static final List<StageRow> ROWS =
      List.of(
          StageRow.of(
              OutStage.NAME, (argument, context) -> OutStage.parse(argument), LAST, NOT_IN_FACET),
          StageRow.of(MergeStage.NAME, MergeParser::parse, LAST, NOT_IN_FACET));

  private WriteStages() {}
}
