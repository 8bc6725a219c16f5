package dev.wisent.pipeline.window;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Values;

/** {@code $locf}: the last value so far that was neither null nor missing. */
record LocfFunction(Expression input) implements WindowFunction {
  static WindowFunction parse(FunctionSpec spec) {
    return new LocfFunction(spec.parse(spec.argumentWithoutWindow()));
  }

  @Override
  public RunningFunction begin() {
    return new Running();
  }

  @Override
  public void explain(BsonBuilder out) {
    out.append("$locf", input.serialize());
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    input.addDependencies(dependencies);
  }

  private final class Running extends RunningFunction {
    private RawValue last;

    @Override
    void restart() {
      last = RawValue.NULL;
    }

    @Override
    RawValue next(Partition partition) {
      RawValue value = input.evaluate(partition.frame(partition.position()));
      if (!Values.isNullish(value)) {
        last = value.detached();
      }
      return last;
    }

    @Override
    long bytes() {
      return last.length();
    }
  }
}
