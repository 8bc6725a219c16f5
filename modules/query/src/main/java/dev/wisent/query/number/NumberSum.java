package dev.wisent.query.number;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import org.bson.types.Decimal128;

/**
 * A sum of numbers of any types. The result has the widest type of the terms: int, long, double,
 * decimal in that order; an int that overflows becomes a long, and a long a double.
 *
 * <p>Whole numbers are summed in a long as long as that holds them, without objects.
 */
public final class NumberSum {
  private long whole;

  /** Null until something does not fit the long. */
  private DoubleDouble fraction;

  /** Null until there is a decimal. */
  private Decimal128 decimal;

  private boolean hasLong;
  private boolean hasDouble;

  public NumberSum() {}

  /** A sum that was kept elsewhere. */
  NumberSum(
      long whole, DoubleDouble fraction, Decimal128 decimal, boolean hasLong, boolean hasDouble) {
    this.whole = whole;
    this.fraction = fraction;
    this.decimal = decimal;
    this.hasLong = hasLong;
    this.hasDouble = hasDouble;
  }

  /** Adds a number; false, and nothing done, where the value is none. */
  public boolean add(RawValue value) {
    switch (value.type()) {
      case ElementType.INT32 -> add((long) value.asInt32());
      case ElementType.INT64 -> {
        hasLong = true;
        add(value.asInt64());
      }
      case ElementType.DOUBLE -> add(value.asDouble());
      case ElementType.DECIMAL128 ->
          decimal =
              decimal == null
                  ? Decimals.add(Decimals.ZERO, value.asDecimal128())
                  : Decimals.add(decimal, value.asDecimal128());
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Adds a whole number, which does not change the type of the sum. */
  public void add(long term) {
    long sum = whole + term;
    if (((whole ^ sum) & (term ^ sum)) < 0) {
      fraction().add(term);
    } else {
      whole = sum;
    }
  }

  private void add(double term) {
    hasDouble = true;
    fraction().add(term);
  }

  private DoubleDouble fraction() {
    if (fraction == null) {
      fraction = new DoubleDouble();
    }
    return fraction;
  }

  public boolean isDecimal() {
    return decimal != null;
  }

  /** The sum as a number of its type. */
  public RawValue value() {
    if (decimal != null) {
      return RawValue.ofDecimal128(decimalValue());
    }
    if (fraction == null) {
      return hasLong || whole != (int) whole
          ? RawValue.ofInt64(whole)
          : RawValue.ofInt32((int) whole);
    }
    DoubleDouble total = total();
    return !hasDouble && total.fitsLong()
        ? RawValue.ofInt64(total.longValue())
        : RawValue.ofDouble(total.value());
  }

  private DoubleDouble total() {
    var total = new DoubleDouble();
    if (fraction != null) {
      total.add(fraction);
    }
    total.add(whole);
    return total;
  }

  /** The sum of so many terms, divided by their number; null where there are none. */
  public RawValue average(long count) {
    if (count == 0) {
      return RawValue.NULL;
    }
    return isDecimal()
        ? RawValue.ofDecimal128(Decimals.divide(decimalValue(), new Decimal128(count)))
        : RawValue.ofDouble(doubleValue() / count);
  }

  public double doubleValue() {
    return decimal != null
        ? decimalValue().doubleValue()
        : fraction == null ? whole : total().value();
  }

  public Decimal128 decimalValue() {
    Decimal128 others = fraction == null ? new Decimal128(whole) : total().decimal();
    return decimal == null ? others : Decimals.add(decimal, others);
  }
}
