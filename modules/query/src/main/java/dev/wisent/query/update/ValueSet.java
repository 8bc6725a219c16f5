package dev.wisent.query.update;

import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueKey;
import dev.wisent.bson.ValueOrder;
import dev.wisent.query.collation.Collation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Values that are different as queries see it, in the order in which they came. A few are compared
 * one by one; many are hashed, so that large arrays do not cost the square of their size. Under a
 * collation it is the keys of values that are compared.
 */
final class ValueSet {
  private static final int COMPARED_MAX = 16;

  private final Collation collation;
  private final List<RawValue> values = new ArrayList<>();

  /** What stands for each value; the values themselves without a collation. */
  private final List<RawValue> compared;

  private Set<ValueKey> keys;

  private ValueSet(Collation collation) {
    this.collation = collation;
    this.compared = collation == null ? values : new ArrayList<>();
  }

  /**
   * @param collation null for the simple one
   */
  static ValueSet of(List<RawValue> values, Collation collation) {
    var set = new ValueSet(collation);
    values.forEach(set::add);
    return set;
  }

  List<RawValue> values() {
    return values;
  }

  boolean contains(RawValue wanted) {
    return containsKey(Collation.key(collation, wanted));
  }

  private boolean containsKey(RawValue wanted) {
    if (keys != null) {
      return keys.contains(new ValueKey(wanted));
    }
    for (RawValue value : compared) {
      if (ValueOrder.equal(value, wanted)) {
        return true;
      }
    }
    return false;
  }

  /** False where an equal value was there already. */
  boolean add(RawValue value) {
    if (keys == null && values.size() == COMPARED_MAX) {
      keys = new HashSet<>();
      compared.forEach(present -> keys.add(new ValueKey(present)));
    }
    RawValue key = Collation.key(collation, value);
    boolean added = keys == null ? !containsKey(key) : keys.add(new ValueKey(key));
    if (added) {
      values.add(value);
      if (collation != null) {
        compared.add(key);
      }
    }
    return added;
  }
}
