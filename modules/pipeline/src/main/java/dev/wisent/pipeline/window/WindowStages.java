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

  private WindowStages() {}
}
