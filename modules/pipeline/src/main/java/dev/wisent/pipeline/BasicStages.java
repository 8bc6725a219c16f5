package dev.wisent.pipeline;

import static dev.wisent.pipeline.StageTrait.FIRST;
import static dev.wisent.pipeline.StageTrait.FOR_UPDATES;
import static dev.wisent.pipeline.StageTrait.IN_CHANGE_STREAMS;
import static dev.wisent.pipeline.StageTrait.NOT_IN_FACET;

import java.util.List;

/** Stages that select, shape and order documents. */
final class BasicStages {
  static final List<StageRow> ROWS =
      List.of(
          StageRow.of("$match", MatchStage::parse, IN_CHANGE_STREAMS),
          StageRow.of("$skip", (argument, context) -> SkipStage.parse(argument)),
          StageRow.of("$limit", (argument, context) -> LimitStage.parse(argument)),
          StageRow.of("$sort", SortStage::parse),
          StageRow.of("$project", ProjectStage::parse, FOR_UPDATES, IN_CHANGE_STREAMS),
          StageRow.of(
              "$addFields", AddFieldsStage.parser("$addFields"), FOR_UPDATES, IN_CHANGE_STREAMS),
          StageRow.of("$set", AddFieldsStage.parser("$set"), FOR_UPDATES, IN_CHANGE_STREAMS),
          StageRow.of("$unset", ProjectStage::parseUnset, FOR_UPDATES, IN_CHANGE_STREAMS),
          StageRow.of("$replaceRoot", ReplaceRootStage::parse, FOR_UPDATES, IN_CHANGE_STREAMS),
          StageRow.of("$replaceWith", ReplaceRootStage::parseWith, FOR_UPDATES, IN_CHANGE_STREAMS),
          StageRow.of("$unwind", (argument, context) -> UnwindStage.parse(argument)),
          StageRow.of("$sample", SampleStage::parse),
          StageRow.of("$redact", RedactStage::parse, IN_CHANGE_STREAMS),
          StageRow.of(
              GeoNearStage.NAME,
              (argument, context) -> GeoNearStage.parse(argument),
              FIRST,
              NOT_IN_FACET));

  private BasicStages() {}
}
