package dev.wisent.query.update;

import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.update.element.StorageRules;

/** {@code $max}: takes the argument where it is larger in the order across types. */
record MaxUpdate(RawValue value, int addedDepth, Collation collation) implements FieldOperator {
  static MaxUpdate parse(RawValue argument, UpdateContext context) {
    return new MaxUpdate(argument, StorageRules.depthBelow(argument), context.collation());
  }

  @Override
  public RawValue modify(RawValue current, Target target) {
    return Collation.compare(collation, value, current) > 0 ? value : null;
  }

  @Override
  public RawValue create() {
    return value;
  }
}
