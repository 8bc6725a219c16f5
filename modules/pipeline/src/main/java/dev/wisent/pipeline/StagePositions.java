package dev.wisent.pipeline;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.pipeline.Pipeline.Place;

/** Checks that stages stand where they may. */
final class StagePositions {
  private StagePositions() {}

  static void check(StageRow row, int position, int length, Place place) {
    if (row.is(StageTrait.FIRST)) {
      checkFirst(row.name(), position);
    }
    if (row.is(StageTrait.LAST) && position < length - 1) {
      throw new CommandException(
          ErrorCode.STAGE_MUST_BE_LAST,
          row.name() + " can only be the final stage in the pipeline");
    }
    checkFacet(row.name(), place);
  }

  /** What makes documents by itself has no use for those of a facet. */
  static void checkFacet(String name, Place place) {
    if (place == Place.FACET && !Stages.mayBeInFacet(name)) {
      throw notInFacet(name);
    }
  }

  static CommandException notInFacet(String what) {
    return new CommandException(
        ErrorCode.STAGE_NOT_IN_FACET, what + " is not allowed to be used within a $facet stage");
  }

  static void checkFirst(String name, int position) {
    if (position > 0) {
      throw new CommandException(
          ErrorCode.STAGE_MUST_BE_FIRST, name + " is only valid as the first stage in a pipeline");
    }
  }

  static void checkForUpdate(String name) {
    StageRow row = Stages.row(name);
    if (Stages.isKnown(name) && (row == null || !row.is(StageTrait.FOR_UPDATES))) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, name + " is not allowed to be used within an update");
    }
  }
}
