package dev.wisent.pipeline.window;

import dev.wisent.bson.RawValue;

/** {@code $sum} and {@code $avg} of a window that moves. */
final class SumState extends WindowState {
  private final RemovableSum sum = new RemovableSum();
  private final boolean average;

  SumState(boolean average) {
    this.average = average;
  }

  @Override
  void add(RawValue value) {
    sum.add(value);
  }

  @Override
  void remove(ValueQueue values, long number) {
    sum.remove(values.get(number));
  }

  @Override
  void reset() {
    sum.reset();
  }

  @Override
  RawValue result(ValueQueue values, long from, long to) {
    return average ? sum.average() : sum.value();
  }
}
