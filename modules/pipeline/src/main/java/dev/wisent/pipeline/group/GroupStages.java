package dev.wisent.pipeline.group;

import dev.wisent.pipeline.StageRow;
import java.util.List;

/** The table of stages that gather documents in groups. */
public final class GroupStages {
  public static final List<StageRow> ROWS =
      List.of(
          StageRow.expanded("$bucket", BucketStage::parse),
          StageRow.of("$bucketAuto", BucketAutoStage::parse),
          StageRow.of("$count", (argument, context) -> CountStage.parse(argument)),
          StageRow.of("$group", GroupStage::parse),
          StageRow.expanded("$sortByCount", SortByCountStage::parse));

  private GroupStages() {}
}
