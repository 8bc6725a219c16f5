package dev.wisent.bson;

import java.math.BigDecimal;

/**
 * Exact order and hash of numbers across int32, int64, double and decimal128. NaN is equal to NaN
 * and below everything; the zeros are equal.
 */
final class NumberOrder {
  private static final double TWO_TO_63 = 0x1p63;
  private static final double TWO_TO_53 = 0x1p53;

  private NumberOrder() {}

  static int compare(byte aType, byte[] a, int aOffset, byte bType, byte[] b, int bOffset) {
    if (aType == ElementType.DECIMAL128) {
      return bType == ElementType.DECIMAL128
          ? compareDecimals(a, aOffset, b, bOffset)
          : -compareToDecimal(bType, b, bOffset, a, aOffset);
    }
    if (bType == ElementType.DECIMAL128) {
      return compareToDecimal(aType, a, aOffset, b, bOffset);
    }
    if (aType == ElementType.DOUBLE) {
      double x = Double.longBitsToDouble(LittleEndian.int64(a, aOffset));
      return bType == ElementType.DOUBLE
          ? compareDoubles(x, Double.longBitsToDouble(LittleEndian.int64(b, bOffset)))
          : -compareLongToDouble(integer(bType, b, bOffset), x);
    }
    long x = integer(aType, a, aOffset);
    return bType == ElementType.DOUBLE
        ? compareLongToDouble(x, Double.longBitsToDouble(LittleEndian.int64(b, bOffset)))
        : Long.compare(x, integer(bType, b, bOffset));
  }

  private static long integer(byte type, byte[] bytes, int offset) {
    return type == ElementType.INT32
        ? LittleEndian.int32(bytes, offset)
        : LittleEndian.int64(bytes, offset);
  }

  static int compareDoubles(double x, double y) {
    if (x < y) {
      return -1;
    }
    if (x > y) {
      return 1;
    }
    if (x == y) {
      return 0;
    }
    return Boolean.compare(!Double.isNaN(x), !Double.isNaN(y));
  }

  static int compareLongToDouble(long x, double y) {
    if (y >= TWO_TO_63) {
      return -1;
    }
    if (!(y >= -TWO_TO_63)) {
      return 1; // below every long, or NaN
    }
    long whole = (long) y;
    // Where y has a fraction, whole is small enough to be an exact double again.
    return x != whole ? Long.compare(x, whole) : compareDoubles((double) whole, y);
  }

  private static int compareDecimals(byte[] a, int aOffset, byte[] b, int bOffset) {
    long aHigh = LittleEndian.int64(a, aOffset + 8);
    long bHigh = LittleEndian.int64(b, bOffset + 8);
    long aLow = LittleEndian.int64(a, aOffset);
    long bLow = LittleEndian.int64(b, bOffset);
    if (aHigh == bHigh && aLow == bLow) {
      return 0;
    }
    if (isSpecial(aHigh) || isSpecial(bHigh)) {
      return compareDoubles(roughly(aHigh, aLow), roughly(bHigh, bLow));
    }
    int aSign = sign(aHigh, aLow);
    int bSign = sign(bHigh, bLow);
    if (aSign != bSign || aSign == 0) {
      return Integer.compare(aSign, bSign);
    }
    int magnitude =
        DecimalBits.compareMagnitude(
            DecimalBits.coefficientHigh(aHigh, aLow),
            DecimalBits.coefficientLow(aHigh, aLow),
            DecimalBits.exponent(aHigh),
            DecimalBits.coefficientHigh(bHigh, bLow),
            DecimalBits.coefficientLow(bHigh, bLow),
            DecimalBits.exponent(bHigh));
    return aSign * magnitude;
  }

  private static boolean isSpecial(long high) {
    return DecimalBits.isNaN(high) || DecimalBits.isInfinite(high);
  }

  /** NaN and the infinities as doubles, any other number as one with its sign. */
  private static double roughly(long high, long low) {
    if (DecimalBits.isNaN(high)) {
      return Double.NaN;
    }
    if (DecimalBits.isInfinite(high)) {
      return high < 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    return sign(high, low);
  }

  private static int sign(long high, long low) {
    if ((DecimalBits.coefficientHigh(high, low) | DecimalBits.coefficientLow(high, low)) == 0) {
      return 0;
    }
    return high < 0 ? -1 : 1;
  }

  private static int compareToDecimal(byte type, byte[] a, int aOffset, byte[] b, int bOffset) {
    long high = LittleEndian.int64(b, bOffset + 8);
    long low = LittleEndian.int64(b, bOffset);
    if (type == ElementType.DOUBLE) {
      double x = Double.longBitsToDouble(LittleEndian.int64(a, aOffset));
      return isSpecial(high) || !(Math.abs(x) <= Double.MAX_VALUE)
          ? compareDoubles(x, roughly(high, low))
          : compareFiniteDouble(x, high, low);
    }
    long x = integer(type, a, aOffset);
    return isSpecial(high)
        ? compareDoubles(Long.signum(x), roughly(high, low))
        : compareLong(x, high, low);
  }

  private static int compareLong(long x, long high, long low) {
    int xSign = Long.signum(x);
    int sign = sign(high, low);
    if (xSign != sign || sign == 0) {
      return Integer.compare(xSign, sign);
    }
    int magnitude =
        DecimalBits.compareMagnitude(
            0,
            Math.abs(x), // read as unsigned, this is right for Long.MIN_VALUE too
            0,
            DecimalBits.coefficientHigh(high, low),
            DecimalBits.coefficientLow(high, low),
            DecimalBits.exponent(high));
    return sign * magnitude;
  }

  private static int compareFiniteDouble(double x, long high, long low) {
    int xSign = x > 0 ? 1 : x < 0 ? -1 : 0;
    int sign = sign(high, low);
    if (xSign != sign || sign == 0) {
      return Integer.compare(xSign, sign);
    }
    double truncated = truncated(high, low);
    double magnitude = Math.abs(truncated);
    double xMagnitude = Math.abs(x);
    if (xMagnitude != magnitude) {
      return sign * (xMagnitude < magnitude ? -1 : 1);
    }
    boolean exact = Double.doubleToRawLongBits(truncated) >= 0;
    return exact ? 0 : -sign;
  }

  private static double truncated(long high, long low) {
    return DecimalBits.truncated(
        DecimalBits.coefficientHigh(high, low),
        DecimalBits.coefficientLow(high, low),
        DecimalBits.exponent(high));
  }

  /** The same for equal numbers of any type. Integers in the range of long hash as longs. */
  static int hash(byte type, byte[] bytes, int offset) {
    return switch (type) {
      case ElementType.INT32 -> Long.hashCode(LittleEndian.int32(bytes, offset));
      case ElementType.INT64 -> Long.hashCode(LittleEndian.int64(bytes, offset));
      case ElementType.DOUBLE -> hash(Double.longBitsToDouble(LittleEndian.int64(bytes, offset)));
      default ->
          hashDecimal(LittleEndian.int64(bytes, offset + 8), LittleEndian.int64(bytes, offset));
    };
  }

  private static int hash(double x) {
    if (x >= -TWO_TO_63 && x < TWO_TO_63) {
      long whole = (long) x;
      if (whole == x) {
        return Long.hashCode(whole);
      }
    }
    return Double.hashCode(x);
  }

  private static int hashDecimal(long high, long low) {
    if (isSpecial(high) || sign(high, low) == 0) {
      return hash(roughly(high, low));
    }
    double truncated = truncated(high, low);
    double magnitude = Math.abs(truncated);
    boolean exact = Double.doubleToRawLongBits(truncated) >= 0;
    if (!exact && magnitude >= TWO_TO_53 && magnitude < TWO_TO_63) {
      // It may be equal to an int64 that is not a double.
      BigDecimal value =
          DecimalBits.toBigDecimal(
              DecimalBits.coefficientHigh(high, low),
              DecimalBits.coefficientLow(high, low),
              DecimalBits.exponent(high));
      return Long.hashCode(high < 0 ? -value.longValue() : value.longValue());
    }
    return hash(high < 0 ? -magnitude : magnitude);
  }
}
