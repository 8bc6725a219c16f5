package dev.wisent.pipeline;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;

/** Reads the options of {@code $geoNear}. */
final class GeoNearOptions {
  private static final String NO_DISTANCE_FIELD =
      "$geoNear requires a 'distanceField' option as a String";

  private RawValue near;
  private boolean spherical;
  private RawValue minDistance;
  private RawValue maxDistance;
  private FieldPath distanceField;
  private FieldPath includeLocs;
  private double distanceMultiplier = 1;
  private RawDocument query = RawDocument.EMPTY;
  private String key;

  private GeoNearOptions() {}

  static GeoNearStage parse(RawValue argument) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.EXPECTED_OBJECT, "invalid parameter: expected an object ($geoNear)");
    }
    var options = new GeoNearOptions();
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      options.read(fields.name(), fields.value());
    }
    options.check();
    return new GeoNearStage(
        argument.asDocument(),
        options.near,
        options.spherical,
        options.minDistance,
        options.maxDistance,
        options.distanceField,
        options.includeLocs,
        options.distanceMultiplier,
        options.query,
        options.key);
  }

  private void read(String option, RawValue value) {
    switch (option) {
      case "near" -> near = value;
      case "spherical" -> spherical = value.isTruthy();
      case "minDistance" -> minDistance = distance(option, value);
      case "maxDistance" -> maxDistance = distance(option, value);
      case "distanceField" ->
          distanceField = path(value, ErrorCode.GEO_NEAR_STAGE_DISTANCE_FIELD, NO_DISTANCE_FIELD);
      case "includeLocs" ->
          includeLocs =
              path(
                  value,
                  ErrorCode.GEO_NEAR_STAGE_INCLUDE_LOCS,
                  "$geoNear requires that 'includeLocs' option is a String");
      case "distanceMultiplier" -> {
        require(value.isNumber(), ErrorCode.TYPE_MISMATCH, "distanceMultiplier must be a number");
        distanceMultiplier = value.toDouble();
        require(
            distanceMultiplier >= 0, ErrorCode.BAD_VALUE, "distanceMultiplier must be nonnegative");
      }
      case "query" -> {
        require(value.isDocument(), ErrorCode.TYPE_MISMATCH, "query must be an object");
        query = value.asDocument();
      }
      case "key" -> key = key(value);
      // It has made no difference for a long time.
      case "uniqueDocs" -> {}
      default -> throw unknown(option);
    }
  }

  private static CommandException unknown(String option) {
    return switch (option) {
      case "collation" ->
          new CommandException(
              ErrorCode.GEO_NEAR_STAGE_COLLATION,
              "$geoNear does not accept the 'collation' parameter. Instead, specify a collation for"
                  + " the entire aggregation command.");
      case "limit" ->
          new CommandException(
              ErrorCode.GEO_NEAR_STAGE_LIMIT,
              "$geoNear no longer supports the 'limit' parameter. Use a $limit stage instead.");
      case "num" ->
          new CommandException(
              ErrorCode.GEO_NEAR_STAGE_NUM,
              "$geoNear no longer supports the 'num' parameter. Use a $limit stage instead.");
      case "start" ->
          new CommandException(
              ErrorCode.GEO_NEAR_STAGE_START, "$geoNear no longer supports the 'start' argument.");
      default ->
          new CommandException(ErrorCode.BAD_VALUE, "Unknown argument to $geoNear: " + option);
    };
  }

  private void check() {
    require(
        near != null, ErrorCode.GEO_NEAR_STAGE_WITHOUT_NEAR, "$geoNear requires a 'near' argument");
    require(
        near.isDocument() || near.isArray(),
        ErrorCode.GEO_NEAR_STAGE_NEAR_TYPE,
        "$geoNear requires near argument to be a GeoJSON object or a legacy point(array)");
    require(distanceField != null, ErrorCode.GEO_NEAR_STAGE_DISTANCE_FIELD, NO_DISTANCE_FIELD);
  }

  private static void require(boolean condition, ErrorCode code, String message) {
    if (!condition) {
      throw new CommandException(code, message);
    }
  }

  private static RawValue distance(String option, RawValue value) {
    require(
        value.isNumber(),
        ErrorCode.TYPE_MISMATCH,
        "$geoNear requires $" + option + " to evaluate to a number");
    require(value.toDouble() >= 0, ErrorCode.BAD_VALUE, option + " must be nonnegative");
    return value;
  }

  private static FieldPath path(RawValue value, ErrorCode code, String message) {
    require(value.isString(), code, message);
    return FieldPath.strict(value.asString());
  }

  private static String key(RawValue value) {
    require(
        value.isString(),
        ErrorCode.TYPE_MISMATCH,
        "$geoNear parameter 'key' must be of type string but found type: "
            + ElementType.alias(value.type()));
    require(
        !value.asString().isEmpty(),
        ErrorCode.BAD_VALUE,
        "$geoNear parameter 'key' cannot be the empty string");
    return FieldPath.strict(value.asString()).dotted();
  }
}
