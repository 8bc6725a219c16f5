package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.number.NumberSums;

/** {@code $sum}. What is no number does not count. */
final class SumStates extends ValueStates {
  private final NumberSums sums = new NumberSums();

  SumStates(Expression input) {
    super(input);
  }

  @Override
  public void start(int group, RawDocument id) {
    sums.start(group);
  }

  @Override
  public void add(int group, byte type, byte[] bytes, int offset, int length) {
    sums.add(group, type, bytes, offset);
  }

  @Override
  public RawValue result(int group) {
    return sums.get(group).value();
  }

  @Override
  public long bytes() {
    return sums.bytes();
  }

  @Override
  public RawValue partial(int group) {
    return sums.partial(group);
  }

  @Override
  public void merge(int group, RawValue partial) {
    sums.merge(group, partial);
  }
}
