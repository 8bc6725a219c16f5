package dev.wisent.query.projection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import java.util.Set;

/** The metadata that a projection or an expression may ask for with {@code $meta}. */
public final class MetaArgument {
  private static final Set<String> NAMES =
      Set.of(
          "textScore",
          "randVal",
          "searchScore",
          "searchHighlights",
          "searchScoreDetails",
          "searchSequenceToken",
          "vectorSearchScore",
          "geoNearDistance",
          "geoNearPoint",
          "recordId",
          "indexKey",
          "sortKey",
          "timeseriesBucketMinTime",
          "timeseriesBucketMaxTime");

  private MetaArgument() {}

  /** Refuses everything but the score of a text search. */
  public static void check(RawValue argument) {
    if (!argument.isString()) {
      throw new CommandException(
          ErrorCode.META_ARGUMENT_TYPE, "$meta only supports string arguments");
    }
    if (argument.asString().equals("textScore")) {
      return;
    }
    if (!NAMES.contains(argument.asString())) {
      throw new CommandException(
          ErrorCode.META_ARGUMENT_UNKNOWN, "Unsupported argument to $meta: " + argument.asString());
    }
    throw new CommandException(
        ErrorCode.NOT_IMPLEMENTED,
        "$meta \"" + argument.asString() + "\" in a projection is not supported yet");
  }
}
