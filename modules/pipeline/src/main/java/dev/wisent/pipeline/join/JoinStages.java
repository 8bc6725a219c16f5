package dev.wisent.pipeline.join;

import dev.wisent.pipeline.StageRow;
import dev.wisent.pipeline.StageTrait;
import java.util.List;

/** The table of stages that bring documents together which come from several places. */
public final class JoinStages {
  public static final List<StageRow> ROWS =
      List.of(
          StageRow.of(
              DocumentsStage.NAME,
              DocumentsStage::parse,
              StageTrait.FIRST,
              StageTrait.NOT_IN_FACET,
              StageTrait.WITHOUT_COLLECTION),
          StageRow.of("$facet", FacetStage::parse, StageTrait.NOT_IN_FACET),
          StageRow.of(GraphLookupStage.NAME, GraphLookupParser::parse),
          StageRow.of(LookupStage.NAME, LookupParser::parse),
          StageRow.of(UnionWithStage.NAME, UnionWithStage::parse));

  private JoinStages() {}
}
