package dev.wisent.pipeline.window;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Frame;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A function that only windows have, of pairs of values: {@code $integral}, {@code $covariancePop}
 * and {@code $covarianceSamp}.
 *
 * @param explanation appends the function as explain shows it
 */
record MeasuredFunction(
    Expression input,
    WindowBounds bounds,
    Expression sortValue,
    Supplier<WindowState> states,
    Consumer<BsonBuilder> explanation)
    implements WindowFunction {
  static WindowFunction parseIntegral(FunctionSpec spec) {
    TimedArguments arguments = TimedArguments.parse(spec);
    WindowBounds bounds = arguments.bounds() == null ? WindowBounds.ALL : arguments.bounds();
    return new MeasuredFunction(
        arguments.points(),
        bounds,
        spec.sortValue(),
        () -> new IntegralState(arguments.unit()),
        out -> arguments.explain(bounds, out));
  }

  static WindowFunctionRow covarianceRow(String name, boolean sample) {
    return new WindowFunctionRow(name, "5.0", spec -> parseCovariance(spec, sample));
  }

  private static WindowFunction parseCovariance(FunctionSpec spec, boolean sample) {
    FunctionSpec.Arguments arguments = spec.arguments();
    Expression input = spec.parse(arguments.argument());
    return new MeasuredFunction(
        input,
        arguments.bounds(),
        spec.sortValue(),
        () -> new CovarianceState(sample),
        out -> {
          out.append(spec.name(), input.serialize());
          arguments.bounds().explain(out);
        });
  }

  @Override
  public RunningFunction begin() {
    WindowEnds ends = bounds.ends(sortValue);
    return bounds.onlyGrows()
        ? new GrowingFunction(ends, new Growing(states.get()))
        : new SlidingFunction(ends, input, states.get());
  }

  @Override
  public void explain(BsonBuilder out) {
    explanation.accept(out);
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    input.addDependencies(dependencies);
  }

  private final class Growing implements GrowingFunction.Gathered {
    private final WindowState state;

    Growing(WindowState state) {
      this.state = state;
    }

    @Override
    public void restart() {
      state.reset();
    }

    @Override
    public void add(Frame frame) {
      state.add(input.evaluate(frame));
    }

    @Override
    public RawValue result() {
      return state.result(null, 0, 0);
    }

    @Override
    public long bytes() {
      return state.bytes();
    }
  }
}
