package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.query.update.element.ElementText;

/** {@code $mul}. A field that is missing becomes a zero of the argument's type. */
record MulUpdate(RawValue factor) implements FieldOperator {
  private static final RawValue ZERO = RawValue.ofInt32(0);

  static MulUpdate parse(String path, RawValue argument) {
    if (!argument.isNumber()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "Cannot multiply with non-numeric argument: {" + ElementText.of(path, argument) + "}");
    }
    return new MulUpdate(argument);
  }

  @Override
  public RawValue modify(RawValue current, Target target) {
    ArithmeticErrors.checkNumber("$mul", current, target);
    RawValue product = NumberArithmetic.multiply(current, factor);
    if (product == null) {
      throw ArithmeticErrors.overflow("$mul", current, target);
    }
    return product.equals(current) ? null : product;
  }

  @Override
  public RawValue create() {
    return NumberArithmetic.multiply(factor, ZERO);
  }
}
