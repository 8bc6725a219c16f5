package dev.wisent.query.bounds;

import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;

/**
 * The values of an index field from one to another, ascending in the order of {@link ValueOrder}
 * whatever the direction of the field or of the scan.
 */
public record Interval(RawValue low, boolean lowInclusive, RawValue high, boolean highInclusive) {
  public static final Interval ALL = new Interval(RawValue.MIN_KEY, true, RawValue.MAX_KEY, true);

  public static Interval point(RawValue value) {
    return new Interval(value, true, value, true);
  }

  public boolean isPoint() {
    return lowInclusive && highInclusive && ValueOrder.equal(low, high);
  }

  public boolean isAll() {
    return lowInclusive
        && highInclusive
        && low.type() == RawValue.MIN_KEY.type()
        && high.type() == RawValue.MAX_KEY.type();
  }
}
