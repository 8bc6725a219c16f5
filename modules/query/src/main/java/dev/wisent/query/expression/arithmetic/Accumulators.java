package dev.wisent.query.expression.arithmetic;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.ExpressionRow.Family;
import dev.wisent.query.expression.Values;
import dev.wisent.query.number.Deviations;
import dev.wisent.query.number.NumberSum;
import java.util.List;
import java.util.function.Function;

/**
 * Accumulators over the values of one document. A single argument that is an array stands for its
 * elements; of several arguments each is a value.
 */
final class Accumulators {
  static final List<ExpressionRow> ROWS =
      List.of(
          row("$sum", collation -> new Sum()),
          row("$avg", collation -> new Average()),
          row("$min", collation -> new Extreme(-1, collation)),
          row("$max", collation -> new Extreme(1, collation)),
          row("$stdDevPop", collation -> new Deviation(false)),
          row("$stdDevSamp", collation -> new Deviation(true)));

  private Accumulators() {}

  /** What comes out of values that are shown one after the other. */
  private interface Accumulator {
    /** The value is null where it is missing. */
    void add(RawValue value);

    RawValue result();
  }

  private static ExpressionRow row(String name, Function<Collation, Accumulator> accumulators) {
    return ExpressionRow.collatedVariadic(
        name,
        Family.ACCUMULATOR,
        "3.2",
        (collation, values) -> accumulate(accumulators.apply(collation), values));
  }

  private static RawValue accumulate(Accumulator accumulator, RawValue[] values) {
    if (values.length == 1 && values[0] != null && values[0].isArray()) {
      ElementCursor elements = values[0].elements();
      while (elements.next()) {
        accumulator.add(elements.value());
      }
    } else {
      for (RawValue value : values) {
        accumulator.add(value);
      }
    }
    return accumulator.result();
  }

  /** What is no number does not count. */
  private static final class Sum implements Accumulator {
    private final NumberSum sum = new NumberSum();

    @Override
    public void add(RawValue value) {
      if (value != null) {
        sum.add(value);
      }
    }

    @Override
    public RawValue result() {
      return sum.value();
    }
  }

  private static final class Average implements Accumulator {
    private final NumberSum sum = new NumberSum();
    private long count;

    @Override
    public void add(RawValue value) {
      if (value != null && sum.add(value)) {
        count++;
      }
    }

    @Override
    public RawValue result() {
      return sum.average(count);
    }
  }

  /** The first of the smallest, or of the largest, values that are neither null nor missing. */
  private static final class Extreme implements Accumulator {
    private final int sign;
    private final Collation collation;
    private RawValue extreme;

    Extreme(int sign, Collation collation) {
      this.sign = sign;
      this.collation = collation;
    }

    @Override
    public void add(RawValue value) {
      if (!Values.isNullish(value)
          && (extreme == null || Values.compare(collation, value, extreme) * sign > 0)) {
        extreme = value;
      }
    }

    @Override
    public RawValue result() {
      return extreme == null ? RawValue.NULL : extreme;
    }
  }

  private static final class Deviation implements Accumulator {
    private final boolean sample;
    private final Deviations deviations = new Deviations();

    Deviation(boolean sample) {
      this.sample = sample;
    }

    @Override
    public void add(RawValue value) {
      if (value != null && value.isNumber()) {
        deviations.add(0, value.toDouble());
      }
    }

    @Override
    public RawValue result() {
      return deviations.get(0, sample);
    }
  }
}
