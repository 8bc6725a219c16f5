package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.number.NumberSums;
import java.util.Arrays;

/** {@code $avg}: null where there was no number. */
final class AverageStates extends ValueStates {
  private final NumberSums sums = new NumberSums();
  private long[] counts = new long[16];

  AverageStates(Expression input) {
    super(input);
  }

  @Override
  public void start(int group, RawDocument id) {
    if (group >= counts.length) {
      counts = Arrays.copyOf(counts, 2 * counts.length);
    }
    sums.start(group);
    counts[group] = 0;
  }

  @Override
  public void add(int group, byte type, byte[] bytes, int offset, int length) {
    if (sums.add(group, type, bytes, offset)) {
      counts[group]++;
    }
  }

  @Override
  public RawValue result(int group) {
    return sums.get(group).average(counts[group]);
  }

  @Override
  public long bytes() {
    return sums.bytes() + 8L * counts.length;
  }

  @Override
  public RawValue partial(int group) {
    var out = new BsonBuilder().appendInt64("n", counts[group]).append("s", sums.partial(group));
    return RawValue.ofDocument(out.toDocument());
  }

  @Override
  public void merge(int group, RawValue partial) {
    counts[group] += partial.asDocument().get("n").asInt64();
    sums.merge(group, partial.asDocument().get("s"));
  }
}
