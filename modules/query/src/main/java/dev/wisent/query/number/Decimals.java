package dev.wisent.query.number;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.bson.types.Decimal128;

/** Decimal arithmetic of 34 digits, as IEEE 754 has it: with infinities, NaN and signed zeros. */
public final class Decimals {
  public static final Decimal128 ZERO = Decimal128.POSITIVE_ZERO;

  private static final int EXPONENT_MIN = -6176;
  private static final int EXPONENT_MAX = 6111;
  private static final int ADJUSTED_EXPONENT_MAX = 6144;

  /** A double becomes a decimal of fifteen digits, trailing zeros included. */
  private static final MathContext DOUBLE_AS_DECIMAL = new MathContext(15, RoundingMode.HALF_EVEN);

  private Decimals() {}

  /** Any number as a decimal. */
  public static Decimal128 of(RawValue number) {
    return switch (number.type()) {
      case ElementType.DECIMAL128 -> number.asDecimal128();
      case ElementType.DOUBLE -> of(number.asDouble());
      default -> new Decimal128(number.toLong());
    };
  }

  public static Decimal128 of(double value) {
    Decimal128 special = special(value);
    if (special != null) {
      return special;
    }
    BigDecimal rounded = new BigDecimal(value).round(DOUBLE_AS_DECIMAL);
    int missingDigits = DOUBLE_AS_DECIMAL.getPrecision() - rounded.precision();
    return new Decimal128(rounded.setScale(rounded.scale() + missingDigits));
  }

  /** As exactly as 34 digits allow. */
  public static Decimal128 exactly(double value) {
    Decimal128 special = special(value);
    return special != null
        ? special
        : fitted(new BigDecimal(value).round(MathContext.DECIMAL128), value < 0);
  }

  private static Decimal128 special(double value) {
    if (Double.isNaN(value)) {
      return Decimal128.NaN;
    }
    if (Double.isInfinite(value)) {
      return infinity(value < 0);
    }
    if (value == 0) {
      return 1 / value < 0 ? Decimal128.NEGATIVE_ZERO : Decimal128.POSITIVE_ZERO;
    }
    return null;
  }

  public static boolean isFinite(Decimal128 value) {
    return !value.isNaN() && !value.isInfinite();
  }

  public static boolean isZero(Decimal128 value) {
    return isFinite(value) && finite(value).signum() == 0;
  }

  /** -1, 0 or 1; NaN has none and gives 0. */
  public static int signum(Decimal128 value) {
    if (value.isNaN()) {
      return 0;
    }
    return value.isInfinite() ? (value.isNegative() ? -1 : 1) : finite(value).signum();
  }

  public static Decimal128 add(Decimal128 a, Decimal128 b) {
    if (a.isNaN() || b.isNaN()) {
      return Decimal128.NaN;
    }
    if (a.isInfinite() || b.isInfinite()) {
      boolean cancel = a.isInfinite() && b.isInfinite() && a.isNegative() != b.isNegative();
      return cancel ? Decimal128.NaN : a.isInfinite() ? a : b;
    }
    BigDecimal sum = finite(a).add(finite(b), MathContext.DECIMAL128);
    return fitted(sum, a.isNegative() && b.isNegative());
  }

  public static Decimal128 subtract(Decimal128 a, Decimal128 b) {
    return add(a, negate(b));
  }

  public static Decimal128 negate(Decimal128 value) {
    return Decimal128.fromIEEE754BIDEncoding(value.getHigh() ^ Long.MIN_VALUE, value.getLow());
  }

  public static Decimal128 abs(Decimal128 value) {
    return Decimal128.fromIEEE754BIDEncoding(value.getHigh() & Long.MAX_VALUE, value.getLow());
  }

  public static Decimal128 multiply(Decimal128 a, Decimal128 b) {
    boolean negative = a.isNegative() != b.isNegative();
    if (a.isNaN() || b.isNaN()) {
      return Decimal128.NaN;
    }
    if (a.isInfinite() || b.isInfinite()) {
      return isZero(a) || isZero(b) ? Decimal128.NaN : infinity(negative);
    }
    return fitted(finite(a).multiply(finite(b), MathContext.DECIMAL128), negative);
  }

  /** The divisor must not be zero. */
  public static Decimal128 divide(Decimal128 a, Decimal128 b) {
    boolean negative = a.isNegative() != b.isNegative();
    if (a.isNaN() || b.isNaN() || (a.isInfinite() && b.isInfinite())) {
      return Decimal128.NaN;
    }
    if (a.isInfinite()) {
      return infinity(negative);
    }
    if (b.isInfinite()) {
      return fitted(BigDecimal.ZERO.setScale(-EXPONENT_MIN), negative);
    }
    return fitted(finite(a).divide(finite(b), MathContext.DECIMAL128), negative);
  }

  /** What is left after division, with the sign of the first; the divisor must not be zero. */
  public static Decimal128 remainder(Decimal128 a, Decimal128 b) {
    if (a.isNaN() || b.isNaN() || a.isInfinite()) {
      return Decimal128.NaN;
    }
    if (b.isInfinite()) {
      return a;
    }
    return fitted(finite(a).remainder(finite(b)), a.isNegative());
  }

  /** Rounded to so many digits behind the point; NaN where there is no room for that many. */
  public static Decimal128 round(Decimal128 value, int scale, RoundingMode mode) {
    if (!isFinite(value)) {
      return value;
    }
    BigDecimal rounded = finite(value).setScale(scale, mode);
    if (rounded.precision() > MathContext.DECIMAL128.getPrecision()) {
      return Decimal128.NaN;
    }
    return fitted(rounded, value.isNegative());
  }

  /**
   * Rounded to so many digits behind the point. A number without room for that many keeps all its
   * 34 digits, as with MongoDB's {@code $round}.
   */
  public static Decimal128 roundIfRoom(Decimal128 value, int scale, RoundingMode mode) {
    Decimal128 rounded = round(value, scale, mode);
    return rounded.isNaN() ? padded(value) : rounded;
  }

  /** The same number with all 34 digits, as far as the exponent allows. */
  static Decimal128 padded(Decimal128 value) {
    if (!isFinite(value)) {
      return value;
    }
    BigDecimal number = finite(value);
    int digits = number.signum() == 0 ? 0 : number.precision();
    int scale = number.scale() + MathContext.DECIMAL128.getPrecision() - digits;
    boolean small = number.signum() == 0 || scale > -EXPONENT_MIN;
    return fitted(number.setScale(small ? -EXPONENT_MIN : scale), value.isNegative());
  }

  /** A finite number; negative zero becomes zero, which BigDecimal can hold. */
  public static BigDecimal finite(Decimal128 finite) {
    BigDecimal magnitude = abs(finite).bigDecimalValue();
    return finite.isNegative() ? magnitude.negate() : magnitude;
  }

  /** Brings a result into 34 digits and the range of exponents. */
  public static Decimal128 fitted(BigDecimal result, boolean negative) {
    BigDecimal value =
        result.precision() > MathContext.DECIMAL128.getPrecision()
            ? result.round(MathContext.DECIMAL128)
            : result;
    if (-value.scale() < EXPONENT_MIN) {
      value = value.setScale(-EXPONENT_MIN, RoundingMode.HALF_EVEN);
    }
    if (value.signum() == 0) {
      int scale = Math.max(value.scale(), -EXPONENT_MAX);
      var zero = new Decimal128(BigDecimal.ZERO.setScale(scale));
      return negative ? negate(zero) : zero;
    }
    if (value.precision() - value.scale() - 1 > ADJUSTED_EXPONENT_MAX) {
      return infinity(value.signum() < 0);
    }
    return new Decimal128(value);
  }

  public static Decimal128 infinity(boolean negative) {
    return negative ? Decimal128.NEGATIVE_INFINITY : Decimal128.POSITIVE_INFINITY;
  }
}
