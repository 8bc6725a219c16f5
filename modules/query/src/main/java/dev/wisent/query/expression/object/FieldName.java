package dev.wisent.query.expression.object;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ConstantExpression;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.FieldPathExpression;
import dev.wisent.query.expression.Values;

/** The name of a field that is given as an expression, for one that has dots or dollar signs. */
final class FieldName {
  private FieldName() {}

  /** Which complaint has which code. */
  record Codes(ErrorCode path, ErrorCode notConstant, ErrorCode notString) {}

  /** The name in an expression that must be a constant string. */
  static String of(String operator, Expression field, Codes codes) {
    if (field instanceof FieldPathExpression path) {
      String text = "$" + path.path();
      throw new CommandException(
          codes.path(),
          "'"
              + text
              + "' is a field path reference which is not allowed in this context. Did you mean"
              + " {$literal: '"
              + text
              + "'}?");
    }
    if (!(field instanceof ConstantExpression constant)) {
      throw new CommandException(
          codes.notConstant(),
          operator
              + " requires 'field' to evaluate to a constant, but got a non-constant argument");
    }
    RawValue value = constant.value();
    if (value == null || !value.isString()) {
      throw new CommandException(
          codes.notString(),
          operator
              + " requires 'field' to evaluate to type String, but got "
              + Values.typeName(value));
    }
    return value.asString();
  }
}
