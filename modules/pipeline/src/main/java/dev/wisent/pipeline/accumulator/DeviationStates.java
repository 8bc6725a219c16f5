package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.number.Deviations;

/** {@code $stdDevPop} and {@code $stdDevSamp}. What is no number does not count. */
final class DeviationStates extends ValueStates {
  private final Deviations deviations = new Deviations();
  private final boolean sample;

  DeviationStates(Expression input, boolean sample) {
    super(input);
    this.sample = sample;
  }

  @Override
  public void start(int group, RawDocument id) {
    deviations.start(group);
  }

  @Override
  public void add(int group, byte type, byte[] bytes, int offset, int length) {
    if (ElementType.isNumber(type)) {
      deviations.add(group, new RawValue(type, bytes, offset, length).toDouble());
    }
  }

  @Override
  public RawValue result(int group) {
    return deviations.get(group, sample);
  }

  @Override
  public long bytes() {
    return deviations.bytes();
  }

  @Override
  public RawValue partial(int group) {
    return deviations.partial(group);
  }

  @Override
  public void merge(int group, RawValue partial) {
    deviations.merge(group, partial);
  }
}
