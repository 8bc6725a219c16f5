package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.array.NChoice;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table of accumulators. */
public final class AccumulatorTable {
  public static final List<AccumulatorRow> ROWS =
      List.of(
          new AccumulatorRow("$accumulator", "4.4", ScriptAccumulator::parse),
          AccumulatorRow.collated("$addToSet", "2.2", AddToSetStates::new),
          AccumulatorRow.unary("$avg", "2.2", AverageStates::new),
          TopAccumulator.row(TopAccumulator.Choice.BOTTOM),
          TopAccumulator.row(TopAccumulator.Choice.BOTTOM_N),
          new AccumulatorRow("$count", "5.0", CountAccumulator::parse),
          AccumulatorRow.unary("$first", "2.2", input -> new EndStates(input, false)),
          NAccumulator.row(NChoice.FIRST),
          AccumulatorRow.unary("$last", "2.2", input -> new EndStates(input, true)),
          NAccumulator.row(NChoice.LAST),
          AccumulatorRow.collated("$max", "2.2", (input, c) -> new ExtremeStates(input, 1, c)),
          NAccumulator.row(NChoice.MAX),
          new AccumulatorRow("$median", "7.0", PercentileAccumulator::parseMedian),
          AccumulatorRow.unary("$mergeObjects", "3.6", MergeObjectsStates::new),
          AccumulatorRow.collated("$min", "2.2", (input, c) -> new ExtremeStates(input, -1, c)),
          NAccumulator.row(NChoice.MIN),
          new AccumulatorRow("$percentile", "7.0", PercentileAccumulator::parsePercentile),
          AccumulatorRow.unary("$push", "2.2", PushStates::new),
          AccumulatorRow.unary("$stdDevPop", "3.2", input -> new DeviationStates(input, false)),
          AccumulatorRow.unary("$stdDevSamp", "3.2", input -> new DeviationStates(input, true)),
          AccumulatorRow.unary("$sum", "2.2", SumStates::new),
          TopAccumulator.row(TopAccumulator.Choice.TOP),
          TopAccumulator.row(TopAccumulator.Choice.TOP_N));

  /** What clients do not write, but commands do. */
  private static final List<AccumulatorRow> INTERNAL =
      List.of(new AccumulatorRow(ReduceAccumulator.NAME, "4.4", ReduceAccumulator::parse));

  private static final Map<String, AccumulatorRow> BY_NAME =
      Stream.concat(ROWS.stream(), INTERNAL.stream())
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
