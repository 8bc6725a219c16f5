package dev.wisent.query.update;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.number.Decimals;

/**
 * Sums and products of numbers of any types. The result has the wider type: int, long, double,
 * decimal in that order; an int that overflows becomes a long, a long that overflows has no result.
 */
final class NumberArithmetic {
  private NumberArithmetic() {}

  /** The sum, or null where it does not fit a long. */
  static RawValue add(RawValue a, RawValue b) {
    switch (resultType(a, b)) {
      case ElementType.DECIMAL128 -> {
        return RawValue.ofDecimal128(Decimals.add(Decimals.of(a), Decimals.of(b)));
      }
      case ElementType.DOUBLE -> {
        return RawValue.ofDouble(a.toDouble() + b.toDouble());
      }
      default -> {
        long x = a.toLong();
        long y = b.toLong();
        long sum = x + y;
        return ((x ^ sum) & (y ^ sum)) < 0 ? null : integer(sum, a, b);
      }
    }
  }

  /** The product, or null where it does not fit a long. */
  static RawValue multiply(RawValue a, RawValue b) {
    switch (resultType(a, b)) {
      case ElementType.DECIMAL128 -> {
        return RawValue.ofDecimal128(Decimals.multiply(Decimals.of(a), Decimals.of(b)));
      }
      case ElementType.DOUBLE -> {
        return RawValue.ofDouble(a.toDouble() * b.toDouble());
      }
      default -> {
        long x = a.toLong();
        long y = b.toLong();
        long high = Math.multiplyHigh(x, y);
        long low = x * y;
        boolean fits = high == low >> 63;
        return fits ? integer(low, a, b) : null;
      }
    }
  }

  private static byte resultType(RawValue a, RawValue b) {
    if (a.type() == ElementType.DECIMAL128 || b.type() == ElementType.DECIMAL128) {
      return ElementType.DECIMAL128;
    }
    if (a.type() == ElementType.DOUBLE || b.type() == ElementType.DOUBLE) {
      return ElementType.DOUBLE;
    }
    return ElementType.INT64;
  }

  private static RawValue integer(long result, RawValue a, RawValue b) {
    boolean ints = a.type() == ElementType.INT32 && b.type() == ElementType.INT32;
    return ints && result == (int) result
        ? RawValue.ofInt32((int) result)
        : RawValue.ofInt64(result);
  }
}
