package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;

/**
 * One row of the table of accumulators.
 *
 * @param since the first MongoDB release that had it
 */
public record AccumulatorRow(String name, String since, Parser parser) {
  /** Reads the argument of an accumulator. */
  @FunctionalInterface
  public interface Parser {
    Accumulator parse(ExpressionParser parser, RawValue argument);
  }

  /** Begins the states of an accumulator with one argument, which is given. */
  interface States {
    ValueStates begin(Expression input);
  }

  /** The same for one that depends on how strings compare. */
  interface CollatedStates {
    /** The collation is null for the simple one. */
    ValueStates begin(Expression input, Collation collation);
  }

  /** An accumulator of one value of each document. */
  static AccumulatorRow unary(String name, String since, States states) {
    return new AccumulatorRow(
        name,
        since,
        (parser, argument) ->
            new UnaryAccumulator(name, parser.parse(argument).optimize(), states));
  }

  /** An accumulator of one value of each document that depends on how strings compare. */
  static AccumulatorRow collated(String name, String since, CollatedStates states) {
    return new AccumulatorRow(
        name,
        since,
        (parser, argument) -> {
          Collation collation = parser.context().collation();
          return new UnaryAccumulator(
              name, parser.parse(argument).optimize(), input -> states.begin(input, collation));
        });
  }
}
