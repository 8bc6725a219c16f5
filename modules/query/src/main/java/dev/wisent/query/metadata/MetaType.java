package dev.wisent.query.metadata;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The metadata that {@code $meta} may ask for. What no stage gives is missing, as in MongoDB. */
public enum MetaType {
  TEXT_SCORE("textScore", "text score", Giver.FIND),
  GEO_NEAR_DISTANCE("geoNearDistance", "$geoNear distance", Giver.FIND),
  GEO_NEAR_POINT("geoNearPoint", "$geoNear point", Giver.FIND),
  INDEX_KEY("indexKey", "index key", Giver.FIND),
  RECORD_ID("recordId", "record ID", Giver.FIND),
  SORT_KEY("sortKey", "sort key", Giver.FIND),
  RAND_VAL("randVal", "rand val", Giver.SAMPLE),
  SEARCH_SCORE("searchScore", "$search score", Giver.NOBODY),
  SEARCH_HIGHLIGHTS("searchHighlights", "$search highlights", Giver.NOBODY),
  SEARCH_SCORE_DETAILS("searchScoreDetails", "$search score details", Giver.NOBODY),
  SEARCH_SEQUENCE_TOKEN("searchSequenceToken", "$search sequence token", Giver.NOBODY),
  VECTOR_SEARCH_SCORE("vectorSearchScore", "$vectorSearch distance", Giver.NOBODY),
  TIMESERIES_BUCKET_MIN_TIME("timeseriesBucketMinTime", "timeseries bucket min time", Giver.NOBODY),
  TIMESERIES_BUCKET_MAX_TIME("timeseriesBucketMaxTime", "timeseries bucket max time", Giver.NOBODY);

  /** Who puts it on documents. */
  private enum Giver {
    FIND,
    /** A {@code $sample}. */
    SAMPLE,
    /** Only a search server, or buckets of measurements, would. */
    NOBODY
  }

  /** In front of the names of fields that are metadata. */
  static final String PREFIX = "$meta:";

  private static final Map<String, MetaType> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toMap(MetaType::text, Function.identity()));

  /** Of fused searches; MongoDB 8.0 has them behind a feature flag. */
  private static final Set<String> SCORES = Set.of("score", "scoreDetails");

  private final String text;
  private final String description;
  private final Giver giver;
  private final FieldPath path;
  private final String field;
  private final byte[] fieldBytes;

  MetaType(String text, String description, Giver giver) {
    this.text = text;
    this.description = description;
    this.giver = giver;
    this.field = PREFIX + text;
    this.path = FieldPath.of(field);
    this.fieldBytes = field.getBytes(StandardCharsets.US_ASCII);
  }

  /** Reads the argument of {@code $meta}. */
  public static MetaType parse(RawValue argument) {
    if (!argument.isString()) {
      throw new CommandException(
          ErrorCode.META_ARGUMENT_TYPE, "$meta only supports string arguments");
    }
    MetaType type = of(argument);
    if (type != null) {
      return type;
    }
    if (SCORES.contains(argument.asString())) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "'featureFlagRankFusionFull' must be enabled to use 'score' or 'scoreDetails' meta"
              + " field");
    }
    throw new CommandException(
        ErrorCode.META_ARGUMENT_UNKNOWN, "Unsupported argument to $meta: " + argument.asString());
  }

  /** The type of this name; null if there is none. */
  public static MetaType of(RawValue name) {
    return name.isString() ? BY_NAME.get(name.asString()) : null;
  }

  /** As {@code $meta} calls it. */
  public String text() {
    return text;
  }

  /** As messages call it. */
  public String description() {
    return description;
  }

  /** Whether documents get it where they are found, not in a later stage. */
  public boolean isGivenByFind() {
    return giver == Giver.FIND;
  }

  /** Where a sort finds it on a document. */
  public FieldPath path() {
    return path;
  }

  /** The name of the field that has it on a document. */
  String field() {
    return field;
  }

  byte[] fieldBytes() {
    return fieldBytes;
  }
}
