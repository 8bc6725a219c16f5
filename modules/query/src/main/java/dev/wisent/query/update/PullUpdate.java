package dev.wisent.query.update;

import dev.wisent.bson.RawValue;

/** {@code $pull}: removes all elements that equal a value or meet a condition. */
record PullUpdate(ElementCondition condition) implements FieldOperator {
  static PullUpdate parse(RawValue argument, UpdateContext context) {
    return new PullUpdate(ElementConditions.ofPull(argument, context));
  }

  @Override
  public RawValue modify(RawValue current, Target target) {
    return ArrayCulling.cull(current, condition);
  }

  @Override
  public RawValue create() {
    return null;
  }
}
