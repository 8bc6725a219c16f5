package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.array.NArguments;
import dev.wisent.query.expression.array.NChoice;
import dev.wisent.query.interrupt.WorkMeter;

/**
 * {@code $firstN}, {@code $lastN}, {@code $minN} and {@code $maxN}: some of the values of a group.
 *
 * @param n how many, computed from the group's {@code _id}
 * @param collation how strings compare; null for the simple one
 * @param meter counts the work of computing {@code n}
 */
public record NAccumulator(
    NChoice choice, Expression n, Expression input, Collation collation, WorkMeter meter)
    implements Accumulator {
  static AccumulatorRow row(NChoice choice) {
    return new AccumulatorRow(
        choice.operator(), "5.2", (parser, argument) -> parse(choice, parser, argument));
  }

  private static Accumulator parse(NChoice choice, ExpressionParser parser, RawValue argument) {
    NArguments arguments = choice.parse(parser, argument);
    return new NAccumulator(
        choice,
        arguments.n().optimize(),
        arguments.input().optimize(),
        parser.context().collation(),
        parser.context().meter());
  }

  @Override
  public String name() {
    return choice.operator();
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
    out.startDocument(choice.operator()).append("n", n.serialize());
    out.append("input", input.serialize()).end();
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    input.addDependencies(dependencies);
  }
}
