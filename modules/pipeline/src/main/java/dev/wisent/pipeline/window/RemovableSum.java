package dev.wisent.pipeline.window;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Values;
import dev.wisent.query.number.Decimals;
import dev.wisent.query.number.DoubleDouble;
import org.bson.types.Decimal128;

/**
 * A sum of numbers that terms can be taken out of again. Its type is the widest one of the terms
 * that are in it, as if the others had never been there; infinities and NaN are counted, since they
 * could not be subtracted. Whole numbers are summed exactly.
 */
final class RemovableSum {
  /** Whole numbers: 128 bits. */
  private long high;

  private long low;
  private DoubleDouble fraction = new DoubleDouble();
  private Decimal128 decimal = Decimals.ZERO;

  private long count;
  private long longs;
  private long doubles;
  private long decimals;
  private long nans;
  private long positives;
  private long negatives;

  /** Adds a number; false, and nothing done, where the value is none. */
  boolean add(RawValue value) {
    return change(value, 1);
  }

  /** Takes out a number that was added; false where the value is none. */
  boolean remove(RawValue value) {
    return change(value, -1);
  }

  void reset() {
    high = 0;
    low = 0;
    fraction = new DoubleDouble();
    decimal = Decimals.ZERO;
    count = 0;
    longs = 0;
    doubles = 0;
    decimals = 0;
    nans = 0;
    positives = 0;
    negatives = 0;
  }

  /** How many numbers are in the sum. */
  long count() {
    return count;
  }

  private boolean change(RawValue value, int sign) {
    if (value == null) {
      return false;
    }
    switch (value.type()) {
      case ElementType.INT32 -> changeWhole(sign * (long) value.asInt32());
      case ElementType.INT64 -> {
        longs += sign;
        changeLong(value.asInt64(), sign);
      }
      case ElementType.DOUBLE -> changeDouble(value.asDouble(), sign);
      case ElementType.DECIMAL128 -> changeDecimal(value.asDecimal128(), sign);
      default -> {
        return false;
      }
    }
    count += sign;
    return true;
  }

  private void changeLong(long term, int sign) {
    if (sign > 0 || term != Long.MIN_VALUE) {
      changeWhole(sign * term);
    } else {
      changeWhole(Long.MAX_VALUE);
      changeWhole(1);
    }
  }

  private void changeWhole(long term) {
    long sum = low + term;
    high += (term >> 63) + (Long.compareUnsigned(sum, low) < 0 ? 1 : 0);
    low = sum;
  }

  private void changeDouble(double term, int sign) {
    doubles += sign;
    if (Double.isNaN(term)) {
      nans += sign;
    } else if (term == Double.POSITIVE_INFINITY) {
      positives += sign;
    } else if (term == Double.NEGATIVE_INFINITY) {
      negatives += sign;
    } else if (doubles == 0) {
      fraction = new DoubleDouble();
    } else {
      fraction.add(sign * term);
    }
  }

  private void changeDecimal(Decimal128 term, int sign) {
    decimals += sign;
    if (term.isNaN()) {
      nans += sign;
    } else if (term.isInfinite()) {
      if (term.isNegative()) {
        negatives += sign;
      } else {
        positives += sign;
      }
    } else if (decimals == 0) {
      decimal = Decimals.ZERO;
    } else {
      decimal = sign > 0 ? Decimals.add(decimal, term) : Decimals.subtract(decimal, term);
    }
  }

  /** The sum as a number of its type. */
  RawValue value() {
    double special = special();
    if (special != 0) {
      return decimals > 0
          ? RawValue.ofDecimal128(Decimals.of(special))
          : RawValue.ofDouble(special);
    }
    if (decimals > 0) {
      return RawValue.ofDecimal128(Decimals.add(decimal, total().decimal()));
    }
    if (doubles > 0 || high != low >> 63) {
      return RawValue.ofDouble(total().value());
    }
    return longs > 0 ? RawValue.ofInt64(low) : Values.intOrLong(low);
  }

  /** The average of the terms; null where there are none. */
  RawValue average() {
    if (count == 0) {
      return RawValue.NULL;
    }
    RawValue sum = value();
    return sum.type() == ElementType.DECIMAL128
        ? RawValue.ofDecimal128(Decimals.divide(sum.asDecimal128(), new Decimal128(count)))
        : RawValue.ofDouble(sum.toDouble() / count);
  }

  /** NaN or an infinity, if the sum is one because a term is; else 0. */
  private double special() {
    if (nans > 0 || (positives > 0 && negatives > 0)) {
      return Double.NaN;
    }
    return positives > 0 ? Double.POSITIVE_INFINITY : negatives > 0 ? Double.NEGATIVE_INFINITY : 0;
  }

  private DoubleDouble total() {
    var total = new DoubleDouble();
    if (doubles > 0) {
      total.add(fraction.value());
      total.add(fraction.rest());
    }
    if (high == low >> 63) {
      total.add(low);
    } else {
      total.add(high * 0x1p64);
      total.add((low >>> 32) * 0x1p32);
      total.add((double) (low & 0xFFFF_FFFFL));
    }
    return total;
  }
}
