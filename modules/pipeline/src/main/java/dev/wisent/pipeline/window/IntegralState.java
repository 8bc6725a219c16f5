package dev.wisent.pipeline.window;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.arithmetic.Arithmetic;
import dev.wisent.query.expression.date.TimeUnit;

/**
 * {@code $integral}: the area below the line through points, which are arrays of the sort value and
 * the input.
 */
final class IntegralState extends WindowState {
  private static final RawValue TWO = RawValue.ofDouble(2);
  private static final RawValue ZERO = RawValue.ofInt32(0);

  private final TimeUnit unit;
  private final RemovableSum area = new RemovableSum();
  private RawDocument last;
  private long nans;

  IntegralState(TimeUnit unit) {
    this.unit = unit;
  }

  @Override
  void add(RawValue value) {
    check(value);
    RawDocument point = value.detached().asDocument();
    nans += hasNan(point) ? 1 : 0;
    if (last != null) {
      area.add(trapezoid(last, point));
    }
    last = point;
  }

  @Override
  void remove(ValueQueue values, long number) {
    RawDocument point = values.get(number).asDocument();
    nans -= hasNan(point) ? 1 : 0;
    area.remove(trapezoid(point, values.get(number + 1).asDocument()));
  }

  private static RawValue trapezoid(RawDocument from, RawDocument to) {
    if (hasNan(from) || hasNan(to)) {
      return ZERO;
    }
    RawValue width = Arithmetic.subtract(to.get("0"), from.get("0"));
    RawValue heights = Arithmetic.add(to.get("1"), from.get("1"));
    return Arithmetic.divide(Arithmetic.multiply(heights, width), TWO);
  }

  private static boolean hasNan(RawDocument point) {
    return isNan(point.get("0")) || isNan(point.get("1"));
  }

  private static boolean isNan(RawValue value) {
    return value.isNumber() && Double.isNaN(value.toDouble());
  }

  private void check(RawValue value) {
    RawValue time = value.asDocument().get("0");
    RawValue height = value.asDocument().get("1");
    boolean date = time.type() == ElementType.DATE;
    if (!height.isNumber() || !(date || time.isNumber())) {
      throw new CommandException(
          ErrorCode.INTEGRAL_INPUT,
          "The input value of $integral window function must be a vector of 2 value, the first"
              + " value must be numeric or date type and the second must be numeric.");
    }
    if (unit != null && !date) {
      throw new CommandException(
          ErrorCode.INTEGRAL_NOT_DATE,
          "$integral with 'unit' expects the sortBy field to be a Date");
    }
    if (unit == null && date) {
      throw new CommandException(
          ErrorCode.INTEGRAL_WITHOUT_UNIT,
          "$integral (with no 'unit') expects the sortBy field to be numeric");
    }
  }

  @Override
  void reset() {
    area.reset();
    last = null;
    nans = 0;
  }

  @Override
  RawValue result(ValueQueue values, long from, long to) {
    if (last == null) {
      return RawValue.NULL;
    }
    if (nans > 0) {
      return RawValue.ofDouble(Double.NaN);
    }
    return unit == null
        ? area.value()
        : Arithmetic.divide(area.value(), RawValue.ofInt64(unit.millis()));
  }

  @Override
  long bytes() {
    return last == null ? 0 : last.length();
  }
}
