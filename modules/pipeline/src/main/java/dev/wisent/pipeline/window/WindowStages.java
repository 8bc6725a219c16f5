package dev.wisent.pipeline.window;

import dev.wisent.pipeline.StageRow;
import java.util.List;

/** The table of stages that look at the documents around a document. */
public final class WindowStages {
  public static final List<StageRow> ROWS =
      List.of(
          StageRow.expanded("$setWindowFields", SetWindowFieldsParser::parse),
          StageRow.expanded("$densify", DensifyStage::parse),
          StageRow.expanded("$fill", FillParser::parse));

  /** The parts of these stages that take documents which are sorted. */
  public static final List<StageRow> INTERNAL =
      List.of(
          StageRow.of(WindowStage.NAME, SetWindowFieldsParser::parseSorted),
          StageRow.of(DensifyStage.INTERNAL_NAME, DensifyStage::parseSorted));

  private WindowStages() {}
}
