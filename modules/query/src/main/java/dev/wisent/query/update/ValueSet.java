package dev.wisent.query.update;

import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueKey;
import dev.wisent.bson.ValueOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Values that are different as queries see it, in the order in which they came. A few are compared
 * one by one; many are hashed, so that large arrays do not cost the square of their size.
 */
final class ValueSet {
  private static final int COMPARED_MAX = 16;

  private final List<RawValue> values = new ArrayList<>();
  private Set<ValueKey> keys;

  static ValueSet of(List<RawValue> values) {
    var set = new ValueSet();
    values.forEach(set::add);
    return set;
  }

  List<RawValue> values() {
    return values;
  }

  boolean contains(RawValue wanted) {
    if (keys != null) {
      return keys.contains(new ValueKey(wanted));
    }
    for (RawValue value : values) {
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
      values.forEach(present -> keys.add(new ValueKey(present)));
    }
    boolean added = keys == null ? !contains(value) : keys.add(new ValueKey(value));
    if (added) {
      values.add(value);
    }
    return added;
  }
}
