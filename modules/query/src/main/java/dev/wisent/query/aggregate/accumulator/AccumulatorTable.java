package dev.wisent.query.aggregate.accumulator;

import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ExpressionParser;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The table of accumulators. */
public final class AccumulatorTable {
  public static final List<AccumulatorRow> ROWS =
      List.of(
          AccumulatorRow.unary("$sum", "2.2", SumStates::new),
          AccumulatorRow.unary("$avg", "2.2", AverageStates::new),
          new AccumulatorRow("$count", "5.0", CountAccumulator::parse),
          AccumulatorRow.collated("$min", "2.2", (input, c) -> new ExtremeStates(input, -1, c)),
          AccumulatorRow.collated("$max", "2.2", (input, c) -> new ExtremeStates(input, 1, c)),
          AccumulatorRow.unary("$first", "2.2", input -> new EndStates(input, false)),
          AccumulatorRow.unary("$last", "2.2", input -> new EndStates(input, true)));

  private static final Map<String, AccumulatorRow> BY_NAME =
      ROWS.stream()
          .collect(Collectors.toUnmodifiableMap(AccumulatorRow::name, Function.identity()));

  private AccumulatorTable() {}

  public static boolean isKnown(String name) {
    return BY_NAME.containsKey(name);
  }

  /** Reads the argument of an accumulator that is known. */
  public static Accumulator parse(String name, RawValue argument, ExpressionParser parser) {
    return BY_NAME.get(name).parser().parse(parser, argument);
  }
}
