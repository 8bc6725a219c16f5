package dev.wisent.pipeline.window;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.query.expression.Values;
import dev.wisent.query.expression.arithmetic.Arithmetic;
import dev.wisent.query.expression.date.TimeUnit;
import java.time.ZoneOffset;
import java.util.Set;

/**
 * The values that {@code $densify} wants to see.
 *
 * @param lower the first one; null unless they were given
 * @param upper where they end, without being one itself; null unless they were given
 * @param unit what the step counts, for dates; null for numbers
 */
record DensifyRange(Extent extent, RawValue lower, RawValue upper, RawValue step, TimeUnit unit) {
  private static final RawValue ZERO = RawValue.ofInt32(0);

  /** Where the values begin and end. */
  enum Extent {
    /** With the first and last of all documents. */
    FULL,
    /** With the first and last of each partition. */
    PARTITION,
    /** Where it was said. */
    GIVEN
  }

  static DensifyRange parse(RawValue argument) {
    SpecFields fields =
        SpecFields.read("$densify.range", argument, Set.of("step", "bounds", "unit"));
    RawValue step = fields.require("step").detached();
    RawValue bounds = fields.require("bounds");
    RawValue unit = fields.get("unit", ElementType.STRING);
    if (!step.isNumber() || ValueOrder.compare(step, ZERO) <= 0) {
      throw new CommandException(
          ErrorCode.DENSIFY_STEP,
          "The step parameter in a range statement must be a strictly positive numeric value");
    }
    if (unit != null && !Values.isInt64(step)) {
      throw new CommandException(
          ErrorCode.DENSIFY_STEP_NOT_WHOLE,
          "The step parameter in a range statement must be a whole number when densifying a date"
              + " range");
    }
    TimeUnit parsed = unit == null ? null : WindowBoundsParser.unit(unit.asString());
    return bounds(bounds, step, parsed);
  }

  private static DensifyRange bounds(RawValue bounds, RawValue step, TimeUnit unit) {
    if (bounds.isArray()) {
      return given(bounds.asDocument(), step, unit);
    }
    if (!bounds.isString()) {
      throw new CommandException(
          ErrorCode.DENSIFY_BOUNDS_TYPE,
          "The bounds in a range statement must be the string 'full', 'partition', or an ascending"
              + " array of two numbers or two dates");
    }
    Extent extent =
        switch (bounds.asString()) {
          case "full" -> Extent.FULL;
          case "partition" -> Extent.PARTITION;
          default ->
              throw new CommandException(
                  ErrorCode.DENSIFY_BOUNDS_WORD,
                  "Bounds string must either be 'full' or 'partition'");
        };
    return new DensifyRange(extent, null, null, step, unit);
  }

  private static DensifyRange given(RawDocument bounds, RawValue step, TimeUnit unit) {
    if (bounds.fieldCount() != 2) {
      throw new CommandException(
          ErrorCode.DENSIFY_BOUNDS_COUNT,
          "A bounding array in a range statement must have exactly two elements");
    }
    RawValue lower = bounds.get("0").detached();
    RawValue upper = bounds.get("1").detached();
    if (ValueOrder.compare(lower, upper) > 0) {
      throw new CommandException(
          ErrorCode.DENSIFY_BOUNDS_ORDER,
          "A bounding array must be an ascending array of either two dates or two numbers");
    }
    if (lower.isNumber()) {
      checkNumbers(lower, upper, step, unit);
    } else if (lower.type() == ElementType.DATE) {
      checkDates(upper, unit);
    } else {
      throw new CommandException(
          ErrorCode.DENSIFY_BOUNDS_ELEMENTS, "Explicit bounds must be numeric or dates");
    }
    return new DensifyRange(Extent.GIVEN, lower, upper, step, unit);
  }

  private static void checkNumbers(RawValue lower, RawValue upper, RawValue step, TimeUnit unit) {
    if (unit != null) {
      throw new CommandException(
          ErrorCode.DENSIFY_NUMBERS_WITH_UNIT, "Numeric bounds may not have unit parameter");
    }
    if (!upper.isNumber()) {
      throw new CommandException(
          ErrorCode.DENSIFY_BOUNDS_NUMBER,
          "A bounding array must contain either both dates or both numeric types");
    }
    if (lower.type() != upper.type() || lower.type() != step.type()) {
      throw new CommandException(
          ErrorCode.DENSIFY_TYPES_DIFFER,
          "Upper bound, lower bound, and step must all have the same type");
    }
  }

  private static void checkDates(RawValue upper, TimeUnit unit) {
    if (upper.type() != ElementType.DATE) {
      throw new CommandException(
          ErrorCode.DENSIFY_BOUNDS_DATE,
          "A bounding array must contain either both dates or both numeric types");
    }
    if (unit == null) {
      throw new CommandException(
          ErrorCode.DENSIFY_DATES_WITHOUT_UNIT, "A bounding array of dates must specify a unit");
    }
  }

  /** The value one step after another one. */
  RawValue after(RawValue value) {
    return unit == null
        ? Arithmetic.add(value, step)
        : RawValue.ofDate(unit.add(value.asInt64(), step.toLong(), ZoneOffset.UTC));
  }

  /** Refuses values that have no steps between them. */
  void check(RawValue value) {
    boolean date = value.type() == ElementType.DATE;
    if (!date && !value.isNumber()) {
      throw new CommandException(
          ErrorCode.DENSIFY_FIELD_TYPE, "Densify field type must be numeric or a date");
    }
    if (date == (unit == null)) {
      throw new CommandException(
          ErrorCode.DENSIFY_FIELD_UNIT,
          date
              ? "Encountered date densify value in collection when step does not have a date unit."
              : "Encountered numeric densify value in collection when step has a date unit.");
    }
  }

  /** Appends the range as explain shows it. */
  void explain(BsonBuilder out) {
    out.startDocument("range").append("step", step);
    switch (extent) {
      case FULL -> out.appendString("bounds", "full");
      case PARTITION -> out.appendString("bounds", "partition");
      case GIVEN -> out.startArray("bounds").append(0, lower).append(1, upper).end();
    }
    if (unit != null) {
      out.appendString("unit", unit.text());
    }
    out.end();
  }
}
