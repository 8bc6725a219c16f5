package dev.wisent.query.expression.array;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.OperatorExpression;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** {@code $firstN}, {@code $lastN}, {@code $minN} and {@code $maxN}: some elements of an array. */
final class FirstNExpression extends OperatorExpression {
  private final NChoice choice;

  /** Null for the simple one. */
  private final Collation collation;

  private FirstNExpression(NChoice choice, Collation collation, Expression... arguments) {
    super(choice.operator(), NArguments.NAMES, arguments);
    this.choice = choice;
    this.collation = collation;
  }

  static ExpressionRow row(NChoice choice) {
    return new ExpressionRow(
        choice.operator(),
        ExpressionRow.Family.ARRAY,
        "5.2",
        (parser, argument) -> parse(choice, parser, argument));
  }

  private static Expression parse(NChoice choice, ExpressionParser parser, RawValue argument) {
    NArguments arguments = choice.parse(parser, argument);
    return new FirstNExpression(
        choice, parser.context().collation(), arguments.n(), arguments.input());
  }

  @Override
  public RawValue evaluate(Frame frame) {
    long n = NArguments.count(value(0, frame));
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
