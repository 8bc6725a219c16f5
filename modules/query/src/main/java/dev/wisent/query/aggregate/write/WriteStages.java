package dev.wisent.query.aggregate.write;

import static dev.wisent.query.aggregate.StageTrait.LAST;
import static dev.wisent.query.aggregate.StageTrait.NOT_IN_FACET;

import dev.wisent.query.aggregate.StageRow;
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
