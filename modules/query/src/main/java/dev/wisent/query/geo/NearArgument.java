package dev.wisent.query.geo;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.path.FieldPath;

/**
 * Reads the two forms of {@code $near}: the old one, {@code {$near: [x, y], $maxDistance: d}}, also
 * with {@code [x, y, d]} or a GeoJSON point; and {@code {$near: {$geometry: point, $maxDistance:
 * d}}}.
 */
final class NearArgument {
  private FlatPoint center;
  private boolean geoJson;
  private boolean nearSphere;
  private double minDistance = 0;
  private double maxDistance = Double.MAX_VALUE;

  private NearArgument() {}

  static NearQuery parse(FieldPath path, RawDocument operators) {
    var argument = new NearArgument();
    argument.readOld(operators);
    if (argument.center == null) {
      argument = new NearArgument();
      argument.readNew(operators);
    }
    return argument.toQuery(path);
  }

  private NearQuery toQuery(FieldPath path) {
    if (nearSphere && !center.isOnSphere()) {
      throw GeoErrors.badValue("Legacy point is out of bounds for spherical query");
    }
    return new NearQuery(
        path,
        center,
        nearSphere || geoJson,
        nearSphere && !geoJson,
        geoJson,
        minDistance,
        maxDistance);
  }

  private void readOld(RawDocument operators) {
    ElementCursor elements = operators.elements();
    while (elements.next()) {
      String name = elements.name();
      RawValue value = elements.value();
      if (NearQuery.isNear(name)) {
        readOldPoint(value);
        nearSphere = name.equals("$nearSphere");
      } else if (name.equals("$minDistance")) {
        minDistance =
            distance(
                name,
                value,
                ErrorCode.NEAR_MIN_DISTANCE_NOT_NUMBER,
                ErrorCode.NEAR_MIN_DISTANCE_NEGATIVE);
      } else if (name.equals("$maxDistance")) {
        maxDistance =
            distance(
                name,
                value,
                ErrorCode.NEAR_MAX_DISTANCE_NOT_NUMBER,
                ErrorCode.NEAR_MAX_DISTANCE_NEGATIVE);
      } else if (!name.equals("$uniqueDocs")) {
        throw new CommandException(
            ErrorCode.NEAR_ARGUMENT_INVALID, "invalid argument in geo near query: " + name);
      }
    }
  }

  /** Leaves the center null where the value is no point, as with {@code $geometry}. */
  private void readOldPoint(RawValue value) {
    if (!value.isDocument() && !value.isArray()) {
      return;
    }
    try {
      readPoint(value);
    } catch (CommandException e) {
      readPointWithDistance(value);
    }
  }

  private void readPoint(RawValue value) {
    if (value.isArray() || FlatPoint.startsWithNumber(value)) {
      center = FlatPoint.parse(value, false);
    } else {
      center = GeoJson.parsePoint(value.asDocument());
      geoJson = true;
    }
  }

  private void readPointWithDistance(RawValue value) {
    double[] numbers = new double[3];
    int count = 0;
    ElementCursor elements = value.elements();
    while (elements.next()) {
      if (count == numbers.length || !elements.value().isNumber()) {
        return;
      }
      numbers[count++] = elements.value().toDouble();
    }
    if (count == numbers.length) {
      center = new FlatPoint(numbers[0], numbers[1]);
      maxDistance = numbers[2];
      if (!(maxDistance >= 0)) {
        throw new CommandException(
            ErrorCode.NEAR_POINT_DISTANCE_NEGATIVE, "max distance must be non-negative");
      }
    }
  }

  private static double distance(
      String name, RawValue value, ErrorCode notNumber, ErrorCode negative) {
    if (!value.isNumber()) {
      throw new CommandException(notNumber, name + " must be a number");
    }
    double distance = value.toDouble();
    if (!(distance >= 0)) {
      throw new CommandException(negative, name + " must be non-negative");
    }
    return distance;
  }

  private void readNew(RawDocument operators) {
    ElementCursor elements = operators.elements();
    elements.next();
    String name = elements.name();
    RawValue argument = elements.value();
    if (elements.next()) {
      throw GeoErrors.badValue(
          "geo near accepts just one argument when querying for a GeoJSON point. Extra field"
              + " found: "
              + elements.name()
              + ": "
              + ValueText.of(elements.value()));
    }
    nearSphere = name.equals("$nearSphere");
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      switch (fields.name()) {
        case "$geometry" -> readGeometry(fields.value());
        case "$minDistance" -> minDistance = finiteDistance("$minDistance", fields.value());
        case "$maxDistance" -> maxDistance = finiteDistance("$maxDistance", fields.value());
        default -> throw GeoErrors.badValue("invalid argument in geo near query: " + fields.name());
      }
    }
    if (center == null) {
      throw GeoErrors.badValue("$geometry is required for geo near query");
    }
  }

  private void readGeometry(RawValue value) {
    if (!value.isDocument() && !value.isArray()) {
      return;
    }
    try {
      readPoint(value);
    } catch (CommandException e) {
      throw GeoErrors.badValue(
          "invalid point in geo near query $geometry argument: "
              + ValueText.of(value)
              + "  "
              + e.getMessage());
    }
    if (!geoJson) {
      throw GeoErrors.badValue("$near requires geojson point, given " + ValueText.of(value));
    }
  }

  private static double finiteDistance(String name, RawValue value) {
    if (!value.isNumber()) {
      throw GeoErrors.badValue(name + " must be a number");
    }
    double distance = value.toDouble();
    if (!(distance >= 0) || !Double.isFinite(distance)) {
      throw GeoErrors.badValue(name + " must be non-negative");
    }
    return distance;
  }
}
