package dev.wisent.query.expression.logic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.OperatorExpression;

/** {@code $cond}: by position, or with {@code if}, {@code then} and {@code else}. */
final class CondExpression extends OperatorExpression {
  private static final String NAME = "$cond";

  private CondExpression(Expression[] arguments) {
    super(NAME, arguments);
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    return new CondExpression(
        argument.isDocument() ? named(parser, argument) : parser.arguments(NAME, argument, 3));
  }

  private static Expression[] named(ExpressionParser parser, RawValue argument) {
    var arguments = new Expression[3];
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      switch (fields.name()) {
        case "if" -> arguments[0] = parser.parse(fields.value());
        case "then" -> arguments[1] = parser.parse(fields.value());
        case "else" -> arguments[2] = parser.parse(fields.value());
        default ->
            throw new CommandException(
                ErrorCode.COND_UNKNOWN, "Unrecognized parameter to $cond: " + fields.name());
      }
    }
    require(arguments[0], ErrorCode.COND_WITHOUT_IF, "if");
    require(arguments[1], ErrorCode.COND_WITHOUT_THEN, "then");
    require(arguments[2], ErrorCode.COND_WITHOUT_ELSE, "else");
    return arguments;
  }

  private static void require(Expression argument, ErrorCode code, String name) {
    if (argument == null) {
      throw new CommandException(code, "Missing '" + name + "' parameter to $cond");
    }
  }

  @Override
  public RawValue evaluate(Frame frame) {
    return argument(argument(0).test(frame) ? 1 : 2).evaluate(frame);
  }

  @Override
  public boolean test(Frame frame) {
    return argument(argument(0).test(frame) ? 1 : 2).test(frame);
  }

  @Override
  public Expression optimize() {
    Expression optimized = super.optimize();
    return optimized == this && argument(0).isConstant()
        ? argument(argument(0).test(null) ? 1 : 2)
        : optimized;
  }
}
