package dev.wisent.query.update;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.bson.types.Decimal128;

/**
 * Sums and products of numbers of any types. The result has the wider type: int, long, double,
 * decimal in that order; an int that overflows becomes a long, a long that overflows has no result.
 */
final class NumberArithmetic {
  private static final int EXPONENT_MIN = -6176;
  private static final int ADJUSTED_EXPONENT_MAX = 6144;

  /** A double becomes a decimal of fifteen digits, trailing zeros included. */
  private static final MathContext DOUBLE_AS_DECIMAL = new MathContext(15, RoundingMode.HALF_EVEN);

  private NumberArithmetic() {}

  /** The sum, or null where it does not fit a long. */
  static RawValue add(RawValue a, RawValue b) {
    switch (resultType(a, b)) {
      case ElementType.DECIMAL128 -> {
        return RawValue.ofDecimal128(add(toDecimal(a), toDecimal(b)));
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
        return RawValue.ofDecimal128(multiply(toDecimal(a), toDecimal(b)));
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

  private static Decimal128 toDecimal(RawValue value) {
    return switch (value.type()) {
      case ElementType.DECIMAL128 -> value.asDecimal128();
      case ElementType.DOUBLE -> toDecimal(value.asDouble());
      default -> new Decimal128(value.toLong());
    };
  }

  private static Decimal128 toDecimal(double value) {
    if (Double.isNaN(value)) {
      return Decimal128.NaN;
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? Decimal128.POSITIVE_INFINITY : Decimal128.NEGATIVE_INFINITY;
    }
    if (value == 0) {
      return 1 / value < 0 ? Decimal128.NEGATIVE_ZERO : Decimal128.POSITIVE_ZERO;
    }
    BigDecimal rounded = new BigDecimal(value).round(DOUBLE_AS_DECIMAL);
    int missingDigits = DOUBLE_AS_DECIMAL.getPrecision() - rounded.precision();
    return new Decimal128(rounded.setScale(rounded.scale() + missingDigits));
  }

  private static Decimal128 add(Decimal128 a, Decimal128 b) {
    if (a.isNaN() || b.isNaN()) {
      return Decimal128.NaN;
    }
    if (a.isInfinite() || b.isInfinite()) {
      boolean cancel = a.isInfinite() && b.isInfinite() && a.isNegative() != b.isNegative();
      return cancel ? Decimal128.NaN : a.isInfinite() ? a : b;
    }
    BigDecimal sum = toBigDecimal(a).add(toBigDecimal(b), MathContext.DECIMAL128);
    return fitted(sum, a.isNegative() && b.isNegative());
  }

  private static Decimal128 multiply(Decimal128 a, Decimal128 b) {
    boolean negative = a.isNegative() != b.isNegative();
    if (a.isNaN() || b.isNaN()) {
      return Decimal128.NaN;
    }
    if (a.isInfinite() || b.isInfinite()) {
      boolean timesZero =
          (!a.isInfinite() && toBigDecimal(a).signum() == 0)
              || (!b.isInfinite() && toBigDecimal(b).signum() == 0);
      return timesZero ? Decimal128.NaN : infinity(negative);
    }
    return fitted(toBigDecimal(a).multiply(toBigDecimal(b), MathContext.DECIMAL128), negative);
  }

  /** Negative zero becomes zero, which BigDecimal can hold. */
  private static BigDecimal toBigDecimal(Decimal128 finite) {
    var magnitude =
        Decimal128.fromIEEE754BIDEncoding(finite.getHigh() & Long.MAX_VALUE, finite.getLow())
            .bigDecimalValue();
    return finite.isNegative() ? magnitude.negate() : magnitude;
  }

  /** Brings a result of at most 34 digits into the range of exponents. */
  private static Decimal128 fitted(BigDecimal result, boolean negative) {
    BigDecimal value = result;
    if (-value.scale() < EXPONENT_MIN) {
      value = value.setScale(-EXPONENT_MIN, RoundingMode.HALF_EVEN);
    }
    if (value.signum() == 0) {
      int scale = Math.max(value.scale(), MathContext.DECIMAL128.getPrecision() - 1 - 6144);
      var zero = new Decimal128(BigDecimal.ZERO.setScale(scale));
      return negative
          ? Decimal128.fromIEEE754BIDEncoding(zero.getHigh() | Long.MIN_VALUE, zero.getLow())
          : zero;
    }
    if (value.precision() - value.scale() - 1 > ADJUSTED_EXPONENT_MAX) {
      return infinity(value.signum() < 0);
    }
    return new Decimal128(value);
  }

  private static Decimal128 infinity(boolean negative) {
    return negative ? Decimal128.NEGATIVE_INFINITY : Decimal128.POSITIVE_INFINITY;
  }
}
