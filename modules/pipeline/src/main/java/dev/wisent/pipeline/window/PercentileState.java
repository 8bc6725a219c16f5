package dev.wisent.pipeline.window;

import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ArrayBuilder;
import java.util.Arrays;

/** {@code $percentile} and {@code $median} of a window that moves: exact, from sorted numbers. */
final class PercentileState extends WindowState {
  private static final int INITIAL = 16;

  private final double[] percentiles;
  private final boolean median;
  private double[] sorted = new double[INITIAL];
  private int count;

  PercentileState(double[] percentiles, boolean median) {
    this.percentiles = percentiles;
    this.median = median;
  }

  @Override
  void add(RawValue value) {
    if (value == null || !value.isNumber()) {
      return;
    }
    if (count == sorted.length) {
      sorted = Arrays.copyOf(sorted, 2 * count);
    }
    int at = find(value);
    int place = at < 0 ? -at - 1 : at;
    System.arraycopy(sorted, place, sorted, place + 1, count - place);
    sorted[place] = number(value);
    count++;
  }

  @Override
  void remove(ValueQueue values, long number) {
    RawValue value = values.get(number);
    if (value == null || !value.isNumber()) {
      return;
    }
    int place = find(value);
    System.arraycopy(sorted, place + 1, sorted, place, count - place - 1);
    count--;
  }

  private int find(RawValue value) {
    return Arrays.binarySearch(sorted, 0, count, number(value));
  }

  /** The zeros are one number. */
  private static double number(RawValue value) {
    return value.toDouble() + 0.0;
  }

  @Override
  void reset() {
    count = 0;
  }

  @Override
  RawValue result(ValueQueue values, long from, long to) {
    if (median) {
      return at(percentiles[0]);
    }
    var out = new ArrayBuilder();
    for (double p : percentiles) {
      out.add(at(p));
    }
    return out.build();
  }

  private RawValue at(double p) {
    if (count == 0) {
      return RawValue.NULL;
    }
    int rank = (int) Math.clamp((long) Math.ceil(count * p) - 1, 0L, count - 1L);
    return RawValue.ofDouble(sorted[rank]);
  }

  @Override
  long bytes() {
    return 8L * sorted.length;
  }
}
