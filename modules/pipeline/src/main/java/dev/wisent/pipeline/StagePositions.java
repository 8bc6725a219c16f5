package dev.wisent.pipeline;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.pipeline.Pipeline.Place;
import dev.wisent.pipeline.changestream.ChangeStreamStage;
import java.util.List;

/** Checks that stages stand where they may. */
final class StagePositions {
  private StagePositions() {}

  /**
   * Fails where a stage may not stand behind the first one.
   *
   * @param names of all stages, as they were written
   */
  static void checkChangeStream(List<String> names) {
    boolean stream = !names.isEmpty() && names.getFirst().equals(ChangeStreamStage.NAME);
    for (int i = stream ? 1 : 0; i < names.size(); i++) {
      StageRow row = Stages.row(names.get(i));
      if (stream && (row == null || !row.is(StageTrait.IN_CHANGE_STREAMS))) {
        throw new CommandException(
            ErrorCode.ILLEGAL_OPERATION,
            names.get(i) + " is not permitted in a $changeStream pipeline");
      }
      if (row != null && row.is(StageTrait.ONLY_IN_CHANGE_STREAMS)) {
        checkOnlyInChangeStream(row.name(), stream, i == names.size() - 1);
      }
    }
  }

  private static void checkOnlyInChangeStream(String name, boolean stream, boolean last) {
    if (!stream) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, name + " can only be used in a $changeStream pipeline");
    }
    if (!last) {
      throw new CommandException(
          ErrorCode.SPLIT_LARGE_EVENT_NOT_LAST, name + " must be the last stage in the pipeline");
    }
  }

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
