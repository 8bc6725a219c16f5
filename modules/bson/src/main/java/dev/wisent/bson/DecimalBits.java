package dev.wisent.bson;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Decimal128 taken apart without objects: sign, 128-bit coefficient (two longs) and exponent. A
 * coefficient above 34 digits, which the format can express but does not allow, counts as zero.
 */
final class DecimalBits {
  static final int EXPONENT_MIN = -6176;
  static final int DIGITS_MAX = 34;

  private static final long SPECIAL_MASK = 0x7C00000000000000L;
  private static final long NAN = 0x7C00000000000000L;
  private static final long INFINITY = 0x7800000000000000L;
  private static final long LARGE_FORM = 0x6000000000000000L;
  private static final long COEFFICIENT_HIGH_MASK = 0x1FFFFFFFFFFFFL;

  private static final long[] POWER_HIGH = new long[DIGITS_MAX + 1];
  private static final long[] POWER_LOW = new long[DIGITS_MAX + 1];
  private static final double[] POWER_DOUBLE = new double[23];

  static {
    BigInteger power = BigInteger.ONE;
    for (int i = 0; i <= DIGITS_MAX; i++) {
      POWER_HIGH[i] = power.shiftRight(64).longValue();
      POWER_LOW[i] = power.longValue();
      if (i < POWER_DOUBLE.length) {
        // Powers up to 10^22 are exact doubles.
        POWER_DOUBLE[i] = power.doubleValue();
      }
      power = power.multiply(BigInteger.TEN);
    }
  }

  private DecimalBits() {}

  static boolean isNegative(long high) {
    return high < 0;
  }

  static boolean isNaN(long high) {
    return (high & SPECIAL_MASK) == NAN;
  }

  static boolean isInfinite(long high) {
    return (high & SPECIAL_MASK) == INFINITY;
  }

  /** False for the encodings that mean zero because their coefficient is too large. */
  static boolean isCanonical(long high, long low) {
    return (high & LARGE_FORM) != LARGE_FORM && below34Digits(high & COEFFICIENT_HIGH_MASK, low);
  }

  static long coefficientHigh(long high, long low) {
    return isCanonical(high, low) ? high & COEFFICIENT_HIGH_MASK : 0;
  }

  static long coefficientLow(long high, long low) {
    return isCanonical(high, low) ? low : 0;
  }

  static int exponent(long high) {
    int shift = (high & LARGE_FORM) == LARGE_FORM ? 47 : 49;
    return (int) ((high >>> shift) & 0x3FFF) + EXPONENT_MIN;
  }

  /** The high half of a number; its low half is the low half of the coefficient. */
  static long highBits(boolean negative, long coefficientHigh, int exponent) {
    long sign = negative ? Long.MIN_VALUE : 0;
    return sign | (long) (exponent - EXPONENT_MIN) << 49 | coefficientHigh;
  }

  private static boolean below34Digits(long coefficientHigh, long coefficientLow) {
    long limit = POWER_HIGH[DIGITS_MAX];
    return coefficientHigh < limit
        || (coefficientHigh == limit
            && Long.compareUnsigned(coefficientLow, POWER_LOW[DIGITS_MAX]) < 0);
  }

  /** Decimal digits of a coefficient that is not zero. */
  static int digits(long high, long low) {
    int bits =
        high != 0 ? 128 - Long.numberOfLeadingZeros(high) : 64 - Long.numberOfLeadingZeros(low);
    // 1233 / 4096 is a little above log10(2); the estimate is right or one too small.
    int estimate = (bits * 1233) >>> 12;
    return compare128(high, low, POWER_HIGH[estimate], POWER_LOW[estimate]) >= 0
        ? estimate + 1
        : estimate;
  }

  private static int compare128(long aHigh, long aLow, long bHigh, long bLow) {
    return aHigh != bHigh ? Long.compareUnsigned(aHigh, bHigh) : Long.compareUnsigned(aLow, bLow);
  }

  /** Compares two magnitudes, neither of them zero, of coefficients below 10^34. */
  static int compareMagnitude(
      long aHigh, long aLow, int aExponent, long bHigh, long bLow, int bExponent) {
    int aDigits = digits(aHigh, aLow);
    int bDigits = digits(bHigh, bLow);
    if (aDigits + aExponent != bDigits + bExponent) {
      return Integer.compare(aDigits + aExponent, bDigits + bExponent);
    }
    int lack = aDigits - bDigits;
    return lack >= 0
        ? compare128(aHigh, aLow, timesPowerHigh(bHigh, bLow, lack), timesPowerLow(bLow, lack))
        : compare128(timesPowerHigh(aHigh, aLow, -lack), timesPowerLow(aLow, -lack), bHigh, bLow);
  }

  /** High half of coefficient * 10^power; the product must have at most 34 digits. */
  static long timesPowerHigh(long high, long low, int power) {
    return Math.unsignedMultiplyHigh(low, POWER_LOW[power])
        + high * POWER_LOW[power]
        + low * POWER_HIGH[power];
  }

  static long timesPowerLow(long low, int power) {
    return low * POWER_LOW[power];
  }

  /**
   * The largest double that is not above the magnitude. The sign of the result says whether it is
   * the magnitude itself: positive for exact, negative (also -0.0) where something was cut off.
   */
  static double truncated(long high, long low, int exponent) {
    if (high == 0 && low > 0 && low < 1L << 53 && exponent >= -22 && exponent <= 22) {
      // Both operands are exact doubles, so the fused operation yields the rounding error itself.
      double coefficient = (double) low;
      double rounded;
      double error;
      if (exponent < 0) {
        double power = POWER_DOUBLE[-exponent];
        rounded = coefficient / power;
        error = Math.fma(-rounded, power, coefficient);
      } else {
        double power = POWER_DOUBLE[exponent];
        rounded = coefficient * power;
        error = Math.fma(coefficient, power, -rounded);
      }
      return error == 0 ? rounded : error > 0 ? -rounded : -Math.nextDown(rounded);
    }
    return truncated(toBigDecimal(high, low, exponent));
  }

  private static double truncated(BigDecimal magnitude) {
    double rounded = magnitude.doubleValue();
    if (Double.isInfinite(rounded)) {
      return -Double.MAX_VALUE;
    }
    int c = new BigDecimal(rounded).compareTo(magnitude);
    return c == 0 ? rounded : c < 0 ? -rounded : -Math.nextDown(rounded);
  }

  static BigInteger toBigInteger(long high, long low) {
    byte[] bigEndian = new byte[16];
    LittleEndian.putInt64(bigEndian, 0, Long.reverseBytes(high));
    LittleEndian.putInt64(bigEndian, 8, Long.reverseBytes(low));
    return new BigInteger(1, bigEndian);
  }

  static BigDecimal toBigDecimal(long high, long low, int exponent) {
    return new BigDecimal(toBigInteger(high, low), -exponent);
  }
}
