package dev.wisent.pipeline.window;

import dev.wisent.pipeline.accumulator.Accumulator;
import dev.wisent.pipeline.accumulator.NAccumulator;
import dev.wisent.pipeline.accumulator.PercentileAccumulator;
import dev.wisent.pipeline.accumulator.TopAccumulator;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.array.NArguments;

/** What moving windows are for accumulators with several arguments. */
final class MovingFunctions {
  private MovingFunctions() {}

  /** {@code $firstN} and its relatives. */
  static RunningFunction some(Accumulator accumulator, WindowEnds ends, Collation collation) {
    var arguments = (NAccumulator) accumulator;
    long n = NArguments.count(arguments.n().evaluate(new Frame(arguments.meter())));
    WindowState state =
        switch (arguments.choice()) {
          case FIRST -> ListState.firstN(n);
          case LAST -> ListState.lastN(n);
          case MIN -> OrderedState.smallest(n, collation);
          case MAX -> OrderedState.largest(n, collation);
        };
    return new SlidingFunction(ends, arguments.input(), state);
  }

  /** {@code $top} and its relatives. */
  static RunningFunction top(Accumulator accumulator, WindowEnds ends, Collation collation) {
    var arguments = (TopAccumulator) accumulator;
    long n = NArguments.count(arguments.n().evaluate(new Frame(arguments.meter())));
    return new SlidingFunction(
        ends, new KeyedOutput(arguments), OrderedState.keyed(n, arguments.choice()));
  }

  /** {@code $percentile} and {@code $median}. */
  static RunningFunction percentile(Accumulator accumulator, WindowEnds ends, Collation collation) {
    var arguments = ((PercentileAccumulator) accumulator).arguments();
    boolean median = accumulator.name().equals("$median");
    return new SlidingFunction(
        ends, arguments.input(), new PercentileState(arguments.percentiles(), median));
  }
}
