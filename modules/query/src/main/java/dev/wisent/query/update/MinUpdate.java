package dev.wisent.query.update;

import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.update.element.StorageRules;

/** {@code $min}: takes the argument where it is smaller in the order across types. */
record MinUpdate(RawValue value, int addedDepth, Collation collation) implements FieldOperator {
  static MinUpdate parse(RawValue argument, UpdateContext context) {
    return new MinUpdate(argument, StorageRules.depthBelow(argument), context.collation());
  }

  @Override
  public RawValue modify(RawValue current, Target target) {
    return Collation.compare(collation, value, current) < 0 ? value : null;
  }

  @Override
  public RawValue create() {
    return value;
  }
}
