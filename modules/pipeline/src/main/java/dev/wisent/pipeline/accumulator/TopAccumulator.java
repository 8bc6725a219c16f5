package dev.wisent.pipeline.accumulator;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.expression.ConstantExpression;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.interrupt.WorkMeter;

/**
 * {@code $top}, {@code $topN}, {@code $bottom} and {@code $bottomN}: values of the documents that
 * come first or last in some order.
 *
 * @param n how many, computed from the group's {@code _id}
 */
public record TopAccumulator(
    Choice choice, Expression n, Expression output, SortPattern sortBy, WorkMeter meter)
    implements Accumulator {
  private static final Expression ONE = new ConstantExpression(RawValue.ofInt32(1));

  /** Which of them. */
  public enum Choice {
    TOP("$top", true, false),
    TOP_N("$topN", false, false),
    BOTTOM("$bottom", true, true),
    BOTTOM_N("$bottomN", false, true);

    private final String operator;
    private final boolean single;
    private final boolean last;

    Choice(String operator, boolean single, boolean last) {
      this.operator = operator;
      this.single = single;
      this.last = last;
    }

    /** Whether the result is one value, not an array. */
    public boolean isSingle() {
      return single;
    }

    /** Whether the last ones are wanted. */
    public boolean isLast() {
      return last;
    }
  }

  static AccumulatorRow row(Choice choice) {
    return new AccumulatorRow(
        choice.operator, "5.2", (parser, argument) -> parse(choice, parser, argument));
  }

  private static Accumulator parse(Choice choice, ExpressionParser parser, RawValue argument) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.TOP_N_NOT_OBJECT,
          "specification must be an object; found "
              + choice.operator
              + ": "
              + ValueText.of(argument));
    }
    Expression n = choice.single ? ONE : null;
    RawValue output = null;
    RawValue sortBy = null;
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      String name = fields.name();
      if (!choice.single && name.equals("n")) {
        n = parser.parse(fields.value());
      } else if (name.equals("output")) {
        output = fields.value();
      } else if (name.equals("sortBy")) {
        sortBy = requireObject(fields.value());
      } else {
        throw new CommandException(
            ErrorCode.TOP_N_UNKNOWN, "Unknown argument to " + choice.operator + " '" + name + "'");
      }
    }
    require(n, "n", ErrorCode.TOP_N_WITHOUT_N);
    require(output, "output", ErrorCode.TOP_N_WITHOUT_OUTPUT);
    require(sortBy, "sortBy", ErrorCode.TOP_N_WITHOUT_SORT_BY);
    return new TopAccumulator(
        choice,
        n.optimize(),
        parser.parse(output).optimize(),
        SortPattern.parse(sortBy.asDocument().detached(), parser.context().collation()),
        parser.context().meter());
  }

  private static RawValue requireObject(RawValue sortBy) {
    if (!sortBy.isDocument()) {
      throw new CommandException(
          ErrorCode.EXPECTED_OBJECT, "invalid parameter: expected an object (sortBy)");
    }
    return sortBy;
  }

  private static void require(Object given, String name, ErrorCode code) {
    if (given == null) {
      throw new CommandException(code, "Missing value for '" + name + "'");
    }
  }

  @Override
  public String name() {
    return choice.operator;
  }

  @Override
  public AccumulatorStates begin() {
    return new TopStates(this);
  }

  @Override
  public Expression initializer() {
    return n;
  }

  @Override
  public void explain(BsonBuilder out) {
    out.startDocument(choice.operator);
    if (!choice.single) {
      out.append("n", n.serialize());
    }
    out.append("output", output.serialize());
    out.appendDocument("sortBy", sortBy.toDocument()).end();
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    output.addDependencies(dependencies);
    sortBy.addDependencies(dependencies);
  }
}
