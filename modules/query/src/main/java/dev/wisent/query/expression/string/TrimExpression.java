package dev.wisent.query.expression.string;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.NamedArguments;
import dev.wisent.query.expression.OperatorExpression;
import dev.wisent.query.expression.Values;

/** {@code $trim}, {@code $ltrim} and {@code $rtrim}: characters cut off at the ends. */
final class TrimExpression extends OperatorExpression {
  private static final String[] KEYS = {"input", "chars"};

  private static final String WHITESPACE =
      "\0 \t\n\u000B\f\r\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
          + "\u200A";

  private final boolean left;
  private final boolean right;

  private TrimExpression(String name, boolean left, boolean right, Expression[] arguments) {
    super(name, KEYS, arguments);
    this.left = left;
    this.right = right;
  }

  static ExpressionRow row(String name, boolean left, boolean right) {
    return new ExpressionRow(
        name,
        ExpressionRow.Family.STRING,
        "4.0",
        (parser, argument) -> parse(name, left, right, parser, argument));
  }

  private static Expression parse(
      String name, boolean left, boolean right, ExpressionParser parser, RawValue argument) {
    NamedArguments arguments =
        NamedArguments.read(
            argument,
            new NamedArguments.Complaints(
                ErrorCode.TRIM_NOT_OBJECT,
                name + " only supports an object as an argument, found %s",
                ErrorCode.TRIM_UNKNOWN,
                name + " found an unknown argument: %s"),
            KEYS);
    arguments.require("input", ErrorCode.TRIM_WITHOUT_INPUT, name + " requires an 'input' field");
    return new TrimExpression(name, left, right, arguments.parse(parser));
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue input = value(0, frame);
    if (Values.isNullish(input)) {
      return RawValue.NULL;
    }
    requireString(ErrorCode.TRIM_INPUT_TYPE, "its input", input);
    String chars = WHITESPACE;
    if (argument(1) != null) {
      RawValue given = value(1, frame);
      if (Values.isNullish(given)) {
        return RawValue.NULL;
      }
      requireString(ErrorCode.TRIM_CHARS_TYPE, "'chars'", given);
      chars = given.asString();
    }
    return RawValue.ofString(trimmed(input.asString(), chars));
  }

  private void requireString(ErrorCode code, String what, RawValue value) {
    if (!value.isString()) {
      throw new CommandException(
          code,
          name()
              + " requires "
              + what
              + " to be a string, got "
              + ValueText.of(value)
              + " (of type "
              + Values.typeName(value)
              + ") instead.");
    }
  }

  private String trimmed(String text, String chars) {
    int start = 0;
    int end = text.length();
    while (left && start < end && chars.indexOf(text.codePointAt(start)) >= 0) {
      start += Character.charCount(text.codePointAt(start));
    }
    while (right && end > start && chars.indexOf(text.codePointBefore(end)) >= 0) {
      end -= Character.charCount(text.codePointBefore(end));
    }
    return text.substring(start, end);
  }
}
