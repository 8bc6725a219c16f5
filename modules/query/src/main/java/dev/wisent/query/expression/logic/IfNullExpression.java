package dev.wisent.query.expression.logic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.OperatorExpression;
import dev.wisent.query.expression.Values;

/** {@code $ifNull}: the first value that is neither null nor missing, or else the last. */
final class IfNullExpression extends OperatorExpression {
  private IfNullExpression(Expression[] arguments) {
    super("$ifNull", arguments);
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    Expression[] arguments = parser.arguments(argument);
    if (arguments.length < 2) {
      throw new CommandException(
          ErrorCode.IF_NULL_ARITY,
          "$ifNull needs at least two arguments, had: " + arguments.length);
    }
    return new IfNullExpression(arguments);
  }

  @Override
  public RawValue evaluate(Frame frame) {
    int last = argumentCount() - 1;
    for (int i = 0; i < last; i++) {
      RawValue value = value(i, frame);
      if (!Values.isNullish(value)) {
        return value;
      }
    }
    return value(last, frame);
  }
}
