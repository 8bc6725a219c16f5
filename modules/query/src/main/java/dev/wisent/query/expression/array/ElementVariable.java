package dev.wisent.query.expression.array;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;

/** The variable of {@code $map} and {@code $filter} for the element at hand. */
final class ElementVariable {
  private ElementVariable() {}

  /**
   * @param as what the expression calls it; null for {@code this}
   */
  static String name(RawValue as) {
    if (as == null) {
      return "this";
    }
    if (!as.isString()) {
      throw new CommandException(ErrorCode.FAILED_TO_PARSE, "empty variable names are not allowed");
    }
    return as.asString();
  }
}
