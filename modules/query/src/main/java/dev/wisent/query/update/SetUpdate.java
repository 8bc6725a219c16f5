package dev.wisent.query.update;

import dev.wisent.bson.RawValue;
import dev.wisent.query.update.element.StorageRules;

/** {@code $set}. Setting the same bytes again changes nothing. */
record SetUpdate(RawValue value, int addedDepth) implements FieldOperator {
  static SetUpdate parse(RawValue argument) {
    return new SetUpdate(argument, StorageRules.depthBelow(argument));
  }

  @Override
  public RawValue modify(RawValue current, Target target) {
    return current.equals(value) ? null : value;
  }

  @Override
  public RawValue create() {
    return value;
  }
}
