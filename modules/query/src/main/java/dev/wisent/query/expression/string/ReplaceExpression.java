package dev.wisent.query.expression.string;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.NamedArguments;
import dev.wisent.query.expression.OperatorExpression;
import dev.wisent.query.expression.Values;

/** {@code $replaceOne} and {@code $replaceAll}: one text for another. */
final class ReplaceExpression extends OperatorExpression {
  private static final String[] KEYS = {"input", "find", "replacement"};

  private final boolean all;

  private ReplaceExpression(String name, boolean all, Expression[] arguments) {
    super(name, KEYS, arguments);
    this.all = all;
  }

  static ExpressionRow row(String name, boolean all) {
    return new ExpressionRow(
        name,
        ExpressionRow.Family.STRING,
        "4.4",
        (parser, argument) -> parse(name, all, parser, argument));
  }

  private static Expression parse(
      String name, boolean all, ExpressionParser parser, RawValue argument) {
    NamedArguments arguments =
        NamedArguments.read(
            argument,
            new NamedArguments.Complaints(
                ErrorCode.REPLACE_NOT_OBJECT,
                name + " requires an object as an argument, found: %s",
                ErrorCode.REPLACE_UNKNOWN,
                name + " found an unknown argument: %s"),
            KEYS);
    require(name, "input", ErrorCode.REPLACE_WITHOUT_INPUT, arguments);
    require(name, "find", ErrorCode.REPLACE_WITHOUT_FIND, arguments);
    require(name, "replacement", ErrorCode.REPLACE_WITHOUT_REPLACEMENT, arguments);
    return new ReplaceExpression(name, all, arguments.parse(parser));
  }

  private static void require(
      String name, String argument, ErrorCode code, NamedArguments arguments) {
    arguments.require(argument, code, name + " requires '" + argument + "' to be specified");
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue input = value(0, frame);
    RawValue find = value(1, frame);
    RawValue replacement = value(2, frame);
    requireString(ErrorCode.REPLACE_INPUT_TYPE, "input", input);
    requireString(ErrorCode.REPLACE_FIND_TYPE, "find", find);
    requireString(ErrorCode.REPLACE_REPLACEMENT_TYPE, "replacement", replacement);
    if (Values.isNullish(input) || Values.isNullish(find) || Values.isNullish(replacement)) {
      return RawValue.NULL;
    }
    return RawValue.ofString(replaced(input.asString(), find.asString(), replacement.asString()));
  }

  private void requireString(ErrorCode code, String what, RawValue value) {
    if (!Values.isNullish(value) && !value.isString()) {
      throw new CommandException(
          code,
          name() + " requires that '" + what + "' be a string, found: " + ValueText.of(value));
    }
  }

  private String replaced(String text, String find, String replacement) {
    int at = StringSearch.indexOf(text, find, 0);
    if (at < 0) {
      return text;
    }
    if (!all) {
      return text.substring(0, at) + replacement + text.substring(at + find.length());
    }
    long occurrences = find.isEmpty() ? text.length() + 1L : text.length() / find.length();
    ArrayBuilder.checkSize(text.length() + occurrences * replacement.length());
    return StringSearch.replace(text, find, replacement);
  }
}
