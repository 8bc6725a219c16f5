package dev.wisent.query.aggregate.window;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.aggregate.accumulator.Accumulator;
import dev.wisent.query.aggregate.accumulator.AccumulatorStates;
import dev.wisent.query.aggregate.accumulator.AccumulatorTable;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Frame;
import java.util.function.Function;

/**
 * A function that groups have too. A window that only grows is a group; for one that moves there is
 * a state that values can be taken out of.
 *
 * @param sortValue the value that documents are sorted by; null unless there is just one
 */
record AccumulatedFunction(
    Accumulator accumulator, WindowBounds bounds, Expression sortValue, Sliding sliding)
    implements WindowFunction {

  /**
   * What a moving window needs.
   *
   * @param input the value of a document that comes in
   */
  record Sliding(Expression input, Function<Input, WindowState> states, Collation collation) {
    WindowState begin() {
      return states.apply(new Input(collation));
    }
  }

  /** What states may ask for. */
  record Input(Collation collation) {}

  /** A function of one value of each document. */
  static WindowFunctionRow row(String name, String since, Function<Input, WindowState> states) {
    return new WindowFunctionRow(name, since, spec -> parse(spec, states));
  }

  private static WindowFunction parse(FunctionSpec spec, Function<Input, WindowState> states) {
    FunctionSpec.Arguments arguments = spec.arguments();
    return of(spec, spec.name(), arguments.argument(), arguments.bounds(), states);
  }

  /** {@code $count}, which is a sum of ones. */
  static WindowFunction parseCount(FunctionSpec spec) {
    FunctionSpec.Arguments arguments = spec.arguments();
    RawValue argument = arguments.argument();
    FunctionSpec.require(
        argument.isDocument() && argument.asDocument().isEmpty(),
        "$count only accepts an empty object as input");
    return of(spec, "$sum", RawValue.ofInt32(1), arguments.bounds(), input -> new SumState(false));
  }

  private static WindowFunction of(
      FunctionSpec spec,
      String accumulator,
      RawValue argument,
      WindowBounds bounds,
      Function<Input, WindowState> states) {
    Accumulator parsed = AccumulatorTable.parse(accumulator, argument, spec.expressions());
    Collation collation = spec.expressions().context().collation();
    return new AccumulatedFunction(
        parsed, bounds, spec.sortValue(), new Sliding(parsed.input(), states, collation));
  }

  @Override
  public RunningFunction begin() {
    WindowEnds ends = bounds.ends(sortValue);
    return bounds.onlyGrows()
        ? new GrowingFunction(ends, new Group(accumulator.begin()))
        : new SlidingFunction(ends, sliding.input(), sliding.begin());
  }

  @Override
  public void explain(BsonBuilder out) {
    accumulator.explain(out);
    bounds.explain(out);
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    accumulator.addDependencies(dependencies);
  }

  /** A window as the only group of its states. */
  private record Group(AccumulatorStates states) implements GrowingFunction.Gathered {
    @Override
    public void restart() {
      states.start(0, RawDocument.EMPTY);
    }

    @Override
    public void add(Frame frame) {
      states.add(0, frame);
    }

    @Override
    public RawValue result() {
      return states.result(0);
    }

    @Override
    public long bytes() {
      return states.bytes();
    }
  }
}
