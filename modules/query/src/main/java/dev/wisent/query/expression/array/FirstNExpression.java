package dev.wisent.query.expression.array;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.NamedArguments;
import dev.wisent.query.expression.OperatorExpression;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** {@code $firstN}, {@code $lastN}, {@code $minN} and {@code $maxN}: some elements of an array. */
final class FirstNExpression extends OperatorExpression {
  private static final String[] KEYS = {"n", "input"};

  /** Which of them. */
  enum Choice {
    FIRST("$firstN", ErrorCode.FIRST_N_NOT_OBJECT),
    LAST("$lastN", ErrorCode.FIRST_N_NOT_OBJECT),
    MIN("$minN", ErrorCode.MIN_N_NOT_OBJECT),
    MAX("$maxN", ErrorCode.MIN_N_NOT_OBJECT);

    private final String operator;
    private final ErrorCode notObject;

    Choice(String operator, ErrorCode notObject) {
      this.operator = operator;
      this.notObject = notObject;
    }
  }

  private final Choice choice;

  /** Null for the simple one. */
  private final Collation collation;

  private FirstNExpression(Choice choice, Collation collation, Expression[] arguments) {
    super(choice.operator, KEYS, arguments);
    this.choice = choice;
    this.collation = collation;
  }

  static ExpressionRow row(Choice choice) {
    return new ExpressionRow(
        choice.operator,
        ExpressionRow.Family.ARRAY,
        "5.2",
        (parser, argument) -> parse(choice, parser, argument));
  }

  private static Expression parse(Choice choice, ExpressionParser parser, RawValue argument) {
    if (!argument.isDocument()) {
      throw new CommandException(
          choice.notObject,
          "specification must be an object; found "
              + choice.operator
              + ": "
              + ValueText.of(argument));
    }
    NamedArguments arguments =
        NamedArguments.read(
            argument,
            new NamedArguments.Complaints(
                choice.notObject,
                "",
                ErrorCode.FIRST_N_UNKNOWN,
                "Unknown argument for 'n' operator: %s"),
            KEYS);
    arguments.require("n", ErrorCode.FIRST_N_WITHOUT_N, "Missing value for 'n'");
    arguments.require("input", ErrorCode.FIRST_N_WITHOUT_INPUT, "Missing value for 'input'");
    return new FirstNExpression(choice, parser.context().collation(), arguments.parse(parser));
  }

  @Override
  public RawValue evaluate(Frame frame) {
    long n = count(value(0, frame));
    RawValue input = value(1, frame);
    if (input == null || !input.isArray()) {
      throw new CommandException(ErrorCode.FIRST_N_INPUT_NOT_ARRAY, "Input must be an array");
    }
    RawValue[] elements = ArrayBuilder.elements(input);
    int taken = (int) Math.min(n, elements.length);
    return switch (choice) {
      case FIRST -> part(List.of(elements), 0, taken);
      case LAST -> part(List.of(elements), elements.length - taken, elements.length);
      case MIN -> smallest(elements, n, (a, b) -> Collation.compare(collation, a, b));
      case MAX -> smallest(elements, n, (a, b) -> Collation.compare(collation, b, a));
    };
  }

  /** Reads an {@code n}. */
  static long count(RawValue value) {
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
        code,
        "Value for 'n' must be of integral type, but found "
            + (value == null ? "MISSING" : ValueText.of(value)));
  }

  private static RawValue part(List<RawValue> elements, int from, int to) {
    return ArrayBuilder.of(elements.subList(from, to));
  }

  /** Nulls do not count. */
  private static RawValue smallest(RawValue[] elements, long n, Comparator<RawValue> order) {
    var present = new ArrayList<RawValue>(elements.length);
    for (RawValue element : elements) {
      if (!element.isNullish()) {
        present.add(element);
      }
    }
    present.sort(order);
    return part(present, 0, (int) Math.min(n, present.size()));
  }
}
