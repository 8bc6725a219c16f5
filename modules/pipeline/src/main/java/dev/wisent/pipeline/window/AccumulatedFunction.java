package dev.wisent.pipeline.window;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.accumulator.Accumulator;
import dev.wisent.pipeline.accumulator.AccumulatorStates;
import dev.wisent.pipeline.accumulator.AccumulatorTable;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.FieldPathExpression;
import dev.wisent.query.expression.Frame;
import java.util.Set;
import java.util.function.Function;

/**
 * A function that groups have too. A window that only grows is a group; for one that moves there is
 * a state that values can be taken out of.
 *
 * @param sortValue the value that documents are sorted by; null unless there is just one
 */
record AccumulatedFunction(
    Accumulator accumulator,
    WindowBounds bounds,
    Expression sortValue,
    Sliding sliding,
    Collation collation)
    implements WindowFunction {
  private static final Set<String> LISTS = Set.of("$push", "$addToSet");

  /** Begins a function of windows that move. */
  interface Sliding {
    RunningFunction begin(Accumulator accumulator, WindowEnds ends, Collation collation);
  }

  /** A function of one value of each document. */
  static WindowFunctionRow unary(
      String name, String since, Function<Collation, WindowState> states) {
    Sliding sliding =
        (accumulator, ends, collation) ->
            new SlidingFunction(ends, accumulator.input(), states.apply(collation));
    return new WindowFunctionRow(
        name,
        since,
        spec -> {
          FunctionSpec.Arguments arguments = spec.arguments();
          return of(spec, name, arguments.argument(), arguments.bounds(), sliding);
        });
  }

  /** A function whose argument is an object that has the input in it. */
  static WindowFunctionRow named(String name, String since, Sliding sliding) {
    return new WindowFunctionRow(
        name,
        since,
        spec -> of(spec, name, spec.ownArgument(), spec.bounds(WindowBounds.ALL), sliding));
  }

  /** {@code $count}, which is a sum of ones. */
  static WindowFunction parseCount(FunctionSpec spec) {
    FunctionSpec.Arguments arguments = spec.arguments();
    RawValue argument = arguments.argument();
    FunctionSpec.require(
        argument.isDocument() && argument.asDocument().isEmpty(),
        "$count only accepts an empty object as input");
    return of(
        spec,
        "$sum",
        RawValue.ofInt32(1),
        arguments.bounds(),
        (sum, ends, collation) -> new SlidingFunction(ends, sum.input(), new SumState(false)));
  }

  private static WindowFunction of(
      FunctionSpec spec,
      String accumulator,
      RawValue argument,
      WindowBounds bounds,
      Sliding sliding) {
    return new AccumulatedFunction(
        AccumulatorTable.parse(accumulator, argument, spec.expressions()),
        bounds,
        spec.sortValue(),
        sliding,
        spec.expressions().context().collation());
  }

  /** No error can come of it, and it may be long. */
  @Override
  public boolean isOnlyAValue() {
    return LISTS.contains(accumulator.name())
        && (accumulator.input().isConstant() || accumulator.input() instanceof FieldPathExpression);
  }

  @Override
  public RunningFunction begin() {
    WindowEnds ends = bounds.ends(sortValue);
    return bounds.onlyGrows()
        ? new GrowingFunction(ends, new Group(accumulator.begin()))
        : sliding.begin(accumulator, ends, collation);
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
