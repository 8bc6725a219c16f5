package dev.wisent.pipeline.window;

import dev.wisent.bson.RawValue;
import dev.wisent.query.number.DoubleDouble;

/**
 * {@code $stdDevPop} and {@code $stdDevSamp} of a window that moves. The sums have so many digits
 * that nothing is lost where large ones cancel each other.
 */
final class DeviationState extends WindowState {
  private final boolean sample;
  private DoubleDouble sum = new DoubleDouble();
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
    count += sign;
    if (count == 0) {
      sum = new DoubleDouble();
      squares = new DoubleDouble();
      return;
    }
    sum.add(sign * number);
    addProduct(number, number, sign, squares);
  }

  /** Adds a product, and what is lost of it when it becomes a double. */
  private static void addProduct(double a, double b, int sign, DoubleDouble to) {
    double product = a * b;
    to.add(sign * product);
    to.add(sign * Math.fma(a, b, -product));
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
    if (divisor <= 0) {
      return RawValue.NULL;
    }
    // The squares of the distances from the mean, times the number of values.
    var distances = new DoubleDouble();
    addProduct(count, squares.value(), 1, distances);
    addProduct(count, squares.rest(), 1, distances);
    addProduct(sum.value(), sum.value(), -1, distances);
    addProduct(2 * sum.value(), sum.rest(), -1, distances);
    double variance = Math.max(0, distances.value()) / count / divisor;
    return RawValue.ofDouble(Math.sqrt(variance));
  }
}
