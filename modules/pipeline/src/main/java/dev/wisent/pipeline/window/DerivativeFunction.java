package dev.wisent.pipeline.window;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.arithmetic.Arithmetic;

/**
 * {@code $derivative}: how fast a value changes from the first to the last document of the window.
 */
record DerivativeFunction(TimedArguments arguments, Expression sortValue)
    implements WindowFunction {
  static WindowFunction parse(FunctionSpec spec) {
    TimedArguments arguments = TimedArguments.parse(spec);
    FunctionSpec.require(arguments.bounds() != null, "$derivative requires explicit window bounds");
    return new DerivativeFunction(arguments, spec.sortValue());
  }

  @Override
  public RunningFunction begin() {
    return new Running();
  }

  @Override
  public void explain(BsonBuilder out) {
    arguments.explain(arguments.bounds(), out);
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    arguments.points().addDependencies(dependencies);
  }

  private final class Running extends RunningFunction {
    private final WindowEnds ends = arguments.bounds().ends(sortValue);
    private final EdgeValue first = EdgeValue.first(arguments.points(), arguments.bounds());
    private final EdgeValue last = EdgeValue.last(arguments.points(), arguments.bounds());

    @Override
    void restart() {
      ends.restart();
      first.restart();
      last.restart();
    }

    @Override
    RawValue next(Partition partition) {
      ends.move(partition);
      first.pass(partition);
      last.pass(partition);
      if (ends.isEmpty()) {
        return RawValue.NULL;
      }
      RawDocument left = first.at(ends.lower(), partition).asDocument();
      RawDocument right = last.at(ends.upper() - 1, partition).asDocument();
      return slope(left, right);
    }

    private RawValue slope(RawDocument left, RawDocument right) {
      RawValue from = left.get("0");
      RawValue to = right.get("0");
      checkTimes(from, to);
      RawValue run = Arithmetic.subtract(to, from);
      RawValue rise = Arithmetic.subtract(right.get("1"), left.get("1"));
      if (rise.isNullish()) {
        throw new CommandException(
            ErrorCode.DERIVATIVE_NULL, "$derivative input must not be null or missing");
      }
      if (!run.isTruthy()) {
        return RawValue.NULL;
      }
      RawValue slope = Arithmetic.divide(rise, run);
      return arguments.unit() == null
          ? slope
          : Arithmetic.multiply(slope, RawValue.ofInt64(arguments.unit().millis()));
    }

    private void checkTimes(RawValue from, RawValue to) {
      boolean bothDates = isDate(from) && isDate(to);
      if (arguments.unit() != null && !bothDates) {
        throw new CommandException(
            ErrorCode.DERIVATIVE_NOT_DATE,
            "$derivative with 'unit' expects the sortBy field to be a Date");
      }
      if (arguments.unit() == null && (isDate(from) || isDate(to))) {
        throw new CommandException(
            ErrorCode.DERIVATIVE_WITHOUT_UNIT,
            "$derivative where the sortBy is a Date requires an 'unit'");
      }
      if (arguments.unit() == null && !(from.isNumber() && to.isNumber())) {
        throw new CommandException(
            ErrorCode.DERIVATIVE_NOT_NUMBER,
            "$derivative (with no 'unit') expects the sortBy field to be numeric");
      }
    }

    private static boolean isDate(RawValue value) {
      return value.type() == ElementType.DATE;
    }

    @Override
    long bytes() {
      return ends.bytes() + first.bytes() + last.bytes();
    }
  }
}
