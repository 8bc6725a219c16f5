package dev.wisent.query.update;

import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.query.update.element.StorageRules;

/** {@code $max}: takes the argument where it is larger in the order across types. */
record MaxUpdate(RawValue value, int addedDepth) implements FieldOperator {
  static MaxUpdate parse(RawValue argument) {
    return new MaxUpdate(argument, StorageRules.depthBelow(argument));
  }

  @Override
  public RawValue modify(RawValue current, Target target) {
    return ValueOrder.compare(value, current) > 0 ? value : null;
  }

  @Override
  public RawValue create() {
    return value;
  }
}
