package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;

/** The ways in which {@code $inc} and {@code $mul} fail on a document. */
final class ArithmeticErrors {
  private ArithmeticErrors() {}

  static void checkNumber(String operator, RawValue current, Target target) {
    if (!current.isNumber()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "Cannot apply "
              + operator
              + " to a value of non-numeric type. {"
              + target.documentId()
              + "} has the field '"
              + target.field()
              + "' of non-numeric type "
              + ElementType.alias(current.type()));
    }
  }

  static CommandException overflow(String operator, RawValue current, Target target) {
    String type = current.type() == ElementType.INT32 ? "NumberInt" : "NumberLong";
    return new CommandException(
        ErrorCode.BAD_VALUE,
        "Failed to apply "
            + operator
            + " operations to current value (("
            + type
            + ")"
            + current.toLong()
            + ") for document {"
            + target.documentId()
            + "}");
  }
}
