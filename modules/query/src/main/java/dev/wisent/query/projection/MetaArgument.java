package dev.wisent.query.projection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import java.util.Set;

/** The metadata that a projection may ask for with {@code $meta}; none of it is there yet. */
final class MetaArgument {
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

  static CommandException refusal(RawValue argument) {
    if (!argument.isString()) {
      return new CommandException(
          ErrorCode.META_ARGUMENT_TYPE, "$meta only supports string arguments");
    }
    if (!NAMES.contains(argument.asString())) {
      return new CommandException(
          ErrorCode.META_ARGUMENT_UNKNOWN, "Unsupported argument to $meta: " + argument.asString());
    }
    return new CommandException(
        ErrorCode.NOT_IMPLEMENTED,
        "$meta \"" + argument.asString() + "\" in a projection is not supported yet");
  }
}
