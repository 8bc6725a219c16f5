package dev.wisent.pipeline.group;

import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.Values;
import java.util.List;

/**
 * The lower boundary of the bucket that a value belongs to. It is the same as a {@code $switch}
 * with a branch for each bucket, but computes the value once and searches.
 */
final class BucketExpression extends Expression {
  private Expression groupBy;
  private final List<RawValue> boundaries;
  private final Collation collation;

  /** What it is short for; knows what to do with values outside of all buckets. */
  private Expression whole;

  BucketExpression(
      Expression groupBy, List<RawValue> boundaries, Collation collation, Expression whole) {
    this.groupBy = groupBy;
    this.boundaries = boundaries;
    this.collation = collation;
    this.whole = whole;
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue value = groupBy.evaluate(frame);
    int low = 0;
    int high = boundaries.size();
    // The boundaries before low are not above the value, those from high on are.
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Values.compare(collation, boundaries.get(middle), value) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == 0 || low == boundaries.size() ? whole.evaluate(frame) : boundaries.get(low - 1);
  }

  @Override
  public Expression optimize() {
    groupBy = groupBy.optimize();
    whole = whole.optimize();
    return this;
  }

  @Override
  public RawValue serialize() {
    return whole.serialize();
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    groupBy.addDependencies(dependencies);
  }
}
