package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Values;

/**
 * {@code $min} and {@code $max}: the first of the smallest, or of the largest, values that are
 * neither null nor missing; null where there is none.
 */
final class ExtremeStates extends ValueStates {
  private final ValueColumn extremes = new ValueColumn();
  private final int sign;
  private final Collation collation;

  /**
   * @param sign -1 for the smallest, 1 for the largest
   */
  ExtremeStates(Expression input, int sign, Collation collation) {
    super(input);
    this.sign = sign;
    this.collation = collation;
  }

  @Override
  public void start(int group, RawDocument id) {
    extremes.start(group);
  }

  @Override
  public void add(int group, byte type, byte[] bytes, int offset, int length) {
    if (type == MISSING || type == ElementType.NULL || type == ElementType.UNDEFINED) {
      return;
    }
    if (!extremes.has(group)
        || extremes.compare(group, type, bytes, offset, length, collation) * sign > 0) {
      extremes.put(group, type, bytes, offset, length);
    }
  }

  @Override
  public RawValue result(int group) {
    return Values.nullIfMissing(extremes.get(group));
  }

  @Override
  public long bytes() {
    return extremes.bytes();
  }

  @Override
  public RawValue partial(int group) {
    return result(group);
  }

  @Override
  public void merge(int group, RawValue partial) {
    add(group, partial);
  }
}
