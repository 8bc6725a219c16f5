package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;

/** {@code $pullAll}: removes all elements that equal one of the values. */
record PullAllUpdate(ValueSet values) implements FieldOperator {
  static PullAllUpdate parse(RawValue argument, UpdateContext context) {
    if (!argument.isArray()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "$pullAll requires an array argument but was given a "
              + ElementType.alias(argument.type()));
    }
    return new PullAllUpdate(ValueSet.of(ArrayValues.of(argument), context.collation()));
  }

  @Override
  public RawValue modify(RawValue current, Target target) {
    return ArrayCulling.cull(current, values::contains);
  }

  @Override
  public RawValue create() {
    return null;
  }
}
