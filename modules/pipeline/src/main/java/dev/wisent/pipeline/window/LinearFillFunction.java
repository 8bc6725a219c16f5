package dev.wisent.pipeline.window;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Values;
import dev.wisent.query.expression.arithmetic.Arithmetic;

/**
 * {@code $linearFill}: where a value is null or missing, the one on the straight line between its
 * neighbours before and after, by the value that documents are sorted by.
 */
record LinearFillFunction(Expression input, Expression sortValue) implements WindowFunction {
  private static final String NAME = "$linearFill";

  static WindowFunction parse(FunctionSpec spec) {
    Expression input = spec.parse(spec.argumentWithoutWindow());
    Expression sortValue = spec.sortValue();
    if (sortValue == null) {
      throw new CommandException(
          ErrorCode.LINEAR_FILL_SORT,
          NAME + " must be specified with a top level sortBy expression with exactly one element");
    }
    return new LinearFillFunction(input, sortValue);
  }

  @Override
  public RunningFunction begin() {
    return new Running();
  }

  @Override
  public void explain(BsonBuilder out) {
    out.append(NAME, input.serialize());
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    input.addDependencies(dependencies);
    sortValue.addDependencies(dependencies);
  }

  private record Point(RawValue x, RawValue y) {}

  private final class Running extends RunningFunction {
    private RawValue lastX;
    private Point before;

    /** The next known point, once it was looked for; null also where there is none. */
    private Point after;

    private boolean noneAfter;

    @Override
    void restart() {
      lastX = null;
      before = null;
      after = null;
      noneAfter = false;
    }

    @Override
    RawValue next(Partition partition) {
      long position = partition.position();
      RawValue y = input.evaluate(partition.frame(position));
      RawValue x = sortValue.evaluate(partition.frame(position));
      check(x, y);
      x = x.detached();
      lastX = x;
      if (!Values.isNullish(y)) {
        before = new Point(x, y.detached());
        after = null;
        return before.y();
      }
      if (before == null || noneAfter) {
        return RawValue.NULL;
      }
      if (after == null) {
        after = find(partition, position + 1);
        noneAfter = after == null;
      }
      return after == null ? RawValue.NULL : between(x);
    }

    private Point find(Partition partition, long from) {
      for (long i = from; partition.has(i); i++) {
        RawValue y = input.evaluate(partition.frame(i));
        RawValue x = Values.isNullish(y) ? null : sortValue.evaluate(partition.frame(i));
        if (!Values.isNullish(x)) {
          return new Point(x.detached(), y.detached());
        }
      }
      return null;
    }

    private RawValue between(RawValue x) {
      RawValue slope =
          Arithmetic.divide(
              Arithmetic.subtract(after.y(), before.y()),
              Arithmetic.subtract(after.x(), before.x()));
      return Arithmetic.add(
          before.y(), Arithmetic.multiply(Arithmetic.subtract(x, before.x()), slope));
    }

    private void check(RawValue x, RawValue y) {
      if (!Values.isNullish(y) && !y.isNumber()) {
        throw new CommandException(
            ErrorCode.TYPE_MISMATCH,
            "Value to be filled must be numeric or nullish, but found " + Values.typeName(y));
      }
      if (x == null || !(x.isNumber() || isDate(x))) {
        throw new CommandException(
            ErrorCode.TYPE_MISMATCH,
            "Value of the sortBy field must be numeric or a date, but found " + Values.typeName(x));
      }
      if (lastX == null) {
        return;
      }
      if (Values.compare(x, lastX) == 0) {
        throw new CommandException(
            ErrorCode.LINEAR_FILL_REPEATED, "There can be no repeated values in the sort field");
      }
      if (isDate(x) != isDate(lastX)) {
        throw new CommandException(
            ErrorCode.TYPE_MISMATCH,
            "Conflicting sort value types, previously received type "
                + Values.typeName(lastX)
                + ", but found "
                + Values.typeName(x));
      }
    }

    private static boolean isDate(RawValue value) {
      return value.type() == ElementType.DATE
          || value.type() == ElementType.TIMESTAMP
          || value.type() == ElementType.OBJECT_ID;
    }
  }
}
