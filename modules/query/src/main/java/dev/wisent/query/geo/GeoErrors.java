package dev.wisent.query.geo;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;

/** The errors that all geometries share. */
final class GeoErrors {
  private static final double WHOLE_MAX = 1e15;

  private GeoErrors() {}

  static CommandException badValue(String message) {
    return new CommandException(ErrorCode.BAD_VALUE, message);
  }

  /** The type of a value as MongoDB's messages end: {@code instead got type missing}. */
  static String insteadGot(RawValue value) {
    return "instead got type " + (value == null ? "missing" : ElementType.alias(value.type()));
  }

  static CommandException outOfBounds(double longitude, double latitude) {
    return badValue(
        "Longitude/latitude is out of bounds, lng: "
            + number(longitude)
            + " lat: "
            + number(latitude));
  }

  /** A number as MongoDB prints it in texts: whole ones without a fraction. */
  static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < WHOLE_MAX
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
