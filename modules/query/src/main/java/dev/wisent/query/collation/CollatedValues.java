package dev.wisent.query.collation;

import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Values of a filter that others are compared with under a collation. Their keys are made once.
 *
 * @param keys ascending, without duplicates
 */
public record CollatedValues(Collation collation, List<RawValue> keys) {
  public CollatedValues {
    keys = List.copyOf(keys);
  }

  /** Null where the collation makes no difference to comparisons with the value. */
  public static CollatedValues of(Collation collation, RawValue value) {
    return collation == null || !Collation.affects(value.type())
        ? null
        : new CollatedValues(collation, List.of(collation.key(value)));
  }

  /**
   * Null where the collation makes no difference to comparisons with any of the values.
   *
   * @param values in the order of the collation, and all different under it
   */
  public static CollatedValues of(Collation collation, List<RawValue> values) {
    if (collation == null || values.stream().noneMatch(each -> Collation.affects(each.type()))) {
      return null;
    }
    var keys = new ArrayList<RawValue>(values.size());
    values.forEach(value -> keys.add(collation.key(value)));
    return new CollatedValues(collation, keys);
  }

  /** How a value compares with the only one here. */
  public int compare(RawValue value) {
    return ValueOrder.compare(collation.key(value), keys.getFirst());
  }

  public boolean contains(RawValue value) {
    return Collections.binarySearch(keys, collation.key(value), ValueOrder::compare) >= 0;
  }
}
