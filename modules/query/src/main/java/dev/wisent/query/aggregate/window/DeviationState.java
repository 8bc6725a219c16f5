package dev.wisent.query.aggregate.window;

import dev.wisent.bson.RawValue;
import dev.wisent.query.number.DoubleDouble;

/** {@code $stdDevPop} and {@code $stdDevSamp} of a window that moves. */
final class DeviationState extends WindowState {
  private final boolean sample;
  private DoubleDouble sum = new DoubleDouble();

  /** The squares of the distances from the mean. */
  private DoubleDouble squares = new DoubleDouble();

  private long count;

  /** Infinities and NaN, which make the result NaN. */
  private long infinite;

  DeviationState(boolean sample) {
    this.sample = sample;
  }

  @Override
  void add(RawValue value) {
    change(value, 1);
  }

  @Override
  void remove(ValueQueue values, long number) {
    change(values.get(number), -1);
  }

  private void change(RawValue value, int sign) {
    if (value == null || !value.isNumber()) {
      return;
    }
    double number = value.toDouble();
    if (!(Math.abs(number) <= Double.MAX_VALUE)) {
      infinite += sign;
      return;
    }
    long before = count;
    count += sign;
    if (count == 0) {
      sum = new DoubleDouble();
      squares = new DoubleDouble();
      return;
    }
    if (before > 0) {
      double distance = before * number - sum.value();
      squares.add(sign * (distance * distance / ((double) count * before)));
    }
    sum.add(sign * number);
  }

  @Override
  void reset() {
    sum = new DoubleDouble();
    squares = new DoubleDouble();
    count = 0;
    infinite = 0;
  }

  @Override
  RawValue result(ValueQueue values, long from, long to) {
    if (infinite > 0) {
      return RawValue.ofDouble(Double.NaN);
    }
    long divisor = sample ? count - 1 : count;
    // What is inexact can make it a little less than nothing.
    return divisor <= 0
        ? RawValue.NULL
        : RawValue.ofDouble(Math.sqrt(Math.max(0, squares.value()) / divisor));
  }
}
