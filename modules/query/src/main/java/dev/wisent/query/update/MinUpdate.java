package dev.wisent.query.update;

import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.query.update.element.StorageRules;

/** {@code $min}: takes the argument where it is smaller in the order across types. */
record MinUpdate(RawValue value, int addedDepth) implements FieldOperator {
  static MinUpdate parse(RawValue argument) {
    return new MinUpdate(argument, StorageRules.depthBelow(argument));
  }

  @Override
  public RawValue modify(RawValue current, Target target) {
    return ValueOrder.compare(value, current) < 0 ? value : null;
  }

  @Override
  public RawValue create() {
    return value;
  }
}
