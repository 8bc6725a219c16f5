package dev.wisent.pipeline.group;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Values;

/** Rounds the boundaries of {@code $bucketAuto} to numbers that people like. */
abstract class Granularity {
  private final String name;

  Granularity(String name) {
    this.name = name;
  }

  static Granularity parse(RawValue argument) {
    if (!argument.isString()) {
      throw new CommandException(
          ErrorCode.GRANULARITY_TYPE,
          "The $bucketAuto 'granularity' field must be a string, but found type: "
              + Values.typeName(argument));
    }
    String name = argument.asString();
    Granularity granularity =
        name.equals(PowersOfTwo.NAME) ? new PowersOfTwo() : PreferredNumbers.of(name);
    if (granularity == null) {
      throw new CommandException(
          ErrorCode.GRANULARITY_UNKNOWN, "Unknown rounding granularity '" + name + "'");
    }
    return granularity;
  }

  String name() {
    return name;
  }

  /** Refuses values that cannot be rounded. */
  void check(RawValue value) {
    if (value == null || !value.isNumber()) {
      throw new CommandException(
          ErrorCode.GRANULARITY_VALUE_TYPE,
          "$bucketAuto can specify a 'granularity' with numeric boundaries only, but found a value"
              + " with type: "
              + Values.typeName(value));
    }
    double number = value.toDouble();
    if (Double.isNaN(number)) {
      throw new CommandException(
          ErrorCode.GRANULARITY_VALUE_NAN,
          "$bucketAuto can specify a 'granularity' with numeric boundaries only, but found a NaN");
    }
    if (number < 0) {
      throw new CommandException(
          ErrorCode.GRANULARITY_VALUE_NEGATIVE,
          "$bucketAuto can specify a 'granularity' with non-negative numbers only, but found a"
              + " negative number");
    }
  }

  /** The next number of the series above a value. Zero and infinity stay what they are. */
  RawValue roundUp(RawValue value) {
    return isFixed(value)
        ? value
        : value.type() == ElementType.DECIMAL128 ? decimalAbove(value) : above(value);
  }

  /** The next number of the series below a value. Zero and infinity stay what they are. */
  RawValue roundDown(RawValue value) {
    return isFixed(value)
        ? value
        : value.type() == ElementType.DECIMAL128 ? decimalBelow(value) : below(value);
  }

  private static boolean isFixed(RawValue value) {
    double number = value.toDouble();
    return number == 0 || Double.isInfinite(number);
  }

  abstract RawValue above(RawValue value);

  abstract RawValue below(RawValue value);

  abstract RawValue decimalAbove(RawValue value);

  abstract RawValue decimalBelow(RawValue value);
}
