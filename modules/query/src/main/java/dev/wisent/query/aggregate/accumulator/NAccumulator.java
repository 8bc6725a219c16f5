package dev.wisent.query.aggregate.accumulator;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.array.NArguments;

/**
 * {@code $firstN}, {@code $lastN}, {@code $minN} and {@code $maxN}: some of the values of a group.
 *
 * @param n how many, computed from the group's {@code _id}
 * @param collation how strings compare; null for the simple one
 */
public record NAccumulator(Choice choice, Expression n, Expression input, Collation collation)
    implements Accumulator {
  /** Which of them. */
  public enum Choice {
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

  static AccumulatorRow row(Choice choice) {
    return new AccumulatorRow(
        choice.operator, "5.2", (parser, argument) -> parse(choice, parser, argument));
  }

  private static Accumulator parse(Choice choice, ExpressionParser parser, RawValue argument) {
    NArguments arguments = NArguments.parse(choice.operator, choice.notObject, parser, argument);
    return new NAccumulator(
        choice,
        arguments.n().optimize(),
        arguments.input().optimize(),
        parser.context().collation());
  }

  @Override
  public String name() {
    return choice.operator;
  }

  @Override
  public AccumulatorStates begin() {
    return switch (choice) {
      case FIRST -> new EndNStates(this, false);
      case LAST -> new EndNStates(this, true);
      case MIN -> new ExtremeNStates(this, false);
      case MAX -> new ExtremeNStates(this, true);
    };
  }

  @Override
  public Expression initializer() {
    return n;
  }

  @Override
  public void explain(BsonBuilder out) {
    out.startDocument(choice.operator).append("n", n.serialize());
    out.append("input", input.serialize()).end();
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    input.addDependencies(dependencies);
  }
}
