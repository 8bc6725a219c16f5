package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.query.update.element.ElementText;

/** {@code $inc}. */
record IncUpdate(RawValue amount) implements FieldOperator {
  static IncUpdate parse(String path, RawValue argument) {
    if (!argument.isNumber()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "Cannot increment with non-numeric argument: {" + ElementText.of(path, argument) + "}");
    }
    return new IncUpdate(argument);
  }

  @Override
  public RawValue modify(RawValue current, Target target) {
    ArithmeticErrors.checkNumber("$inc", current, target);
    RawValue sum = NumberArithmetic.add(current, amount);
    if (sum == null) {
      throw ArithmeticErrors.overflow("$inc", current, target);
    }
    return sum.equals(current) ? null : sum;
  }

  @Override
  public RawValue create() {
    return amount;
  }
}
