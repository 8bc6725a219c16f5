package dev.wisent.query.expression.array;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.NamedArguments;
import dev.wisent.query.expression.Values;

/** The arguments of {@code $firstN} and its relatives, as expressions or accumulators. */
public record NArguments(Expression n, Expression input) {
  static final String[] NAMES = {"n", "input"};

  public static NArguments parse(
      String operator, ErrorCode notObject, ExpressionParser parser, RawValue argument) {
    if (!argument.isDocument()) {
      throw new CommandException(
          notObject,
          "specification must be an object; found " + operator + ": " + ValueText.of(argument));
    }
    NamedArguments arguments =
        NamedArguments.read(
            argument,
            new NamedArguments.Complaints(
                notObject, "", ErrorCode.FIRST_N_UNKNOWN, "Unknown argument for 'n' operator: %s"),
            NAMES);
    arguments.require("n", ErrorCode.FIRST_N_WITHOUT_N, "Missing value for 'n'");
    arguments.require("input", ErrorCode.FIRST_N_WITHOUT_INPUT, "Missing value for 'input'");
    Expression[] expressions = arguments.parse(parser);
    return new NArguments(expressions[0], expressions[1]);
  }

  /** Reads an {@code n}. */
  public static long count(RawValue value) {
    if (value == null || !value.isNumber()) {
      throw notIntegral(ErrorCode.FIRST_N_NOT_NUMBER, value);
    }
    long n = value.toLong();
    if (n != value.toDouble()) {
      throw notIntegral(ErrorCode.FIRST_N_NOT_INTEGER, value);
    }
    if (n <= 0) {
      throw new CommandException(
          ErrorCode.FIRST_N_NOT_POSITIVE, "'n' must be greater than 0, found " + n);
    }
    return n;
  }

  private static CommandException notIntegral(ErrorCode code, RawValue value) {
    return new CommandException(
        code, "Value for 'n' must be of integral type, but found " + Values.text(value));
  }
}
