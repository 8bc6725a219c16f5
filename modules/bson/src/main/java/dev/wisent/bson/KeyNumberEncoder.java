package dev.wisent.bson;

import java.math.BigInteger;

/**
 * Writes numbers of all types into keys. See {@link IndexKeyV1} for the layout.
 *
 * <p>The decoder guesses the type from the value alone: int32 or int64 for integers in their range,
 * double for other values that are doubles, decimal without trailing zeros for the rest. Everything
 * else is told in the type bits.
 */
final class KeyNumberEncoder {
  static final double TWO_TO_53 = 0x1p53;
  static final double TWO_TO_63 = 0x1p63;
  static final double TWO_TO_64 = 0x1p64;
  static final long NAN_BITS = 0x7FF8000000000000L;

  private final KeyBuffer key;
  private final TypeBits.Writer typeBits;
  private final byte[] digits = new byte[DecimalBits.DIGITS_MAX];

  KeyNumberEncoder(KeyBuffer key, TypeBits.Writer typeBits) {
    this.key = key;
    this.typeBits = typeBits;
  }

  void append(byte type, byte[] bytes, int offset) {
    switch (type) {
      case ElementType.INT32 -> {
        typeBits.guess();
        appendLong(LittleEndian.int32(bytes, offset));
      }
      case ElementType.INT64 -> {
        long value = LittleEndian.int64(bytes, offset);
        if (value == (int) value) {
          typeBits.put(TypeBits.INT64);
        } else {
          typeBits.guess();
        }
        appendLong(value);
      }
      case ElementType.DOUBLE ->
          appendDouble(Double.longBitsToDouble(LittleEndian.int64(bytes, offset)));
      default ->
          appendDecimal(LittleEndian.int64(bytes, offset + 8), LittleEndian.int64(bytes, offset));
    }
  }

  private void appendLong(long value) {
    if (value == 0) {
      key.put(IndexKeyV1.ZERO);
      return;
    }
    int start = startNumber(value < 0);
    long magnitude = Math.abs(value); // unsigned: right for Long.MIN_VALUE too
    int excess = 64 - 53 - Long.numberOfLeadingZeros(magnitude);
    if (excess <= 0 || Long.numberOfTrailingZeros(magnitude) >= excess) {
      putExact(Double.doubleToRawLongBits(Math.abs((double) value)));
    } else {
      long whole = magnitude >>> excess << excess;
      putTruncated(Double.doubleToRawLongBits((double) whole));
      key.putInt16((int) (magnitude - whole) << 1);
    }
    endNumber(start, value < 0);
  }

  private void appendDouble(double value) {
    long bits = Double.doubleToRawLongBits(value);
    if (Double.isNaN(value)) {
      key.put(IndexKeyV1.NAN);
      if (bits == NAN_BITS) {
        typeBits.guess();
      } else {
        typeBits.put(TypeBits.DOUBLE_RAW);
        typeBits.buffer().putInt64(bits);
      }
      return;
    }
    if (value == 0) {
      key.put(IndexKeyV1.ZERO);
      typeBits.put(bits == 0 ? TypeBits.DOUBLE : TypeBits.DOUBLE_NEGATIVE_ZERO);
      return;
    }
    if (isLong(value)) {
      typeBits.put(TypeBits.DOUBLE);
    } else {
      typeBits.guess();
    }
    int start = startNumber(value < 0);
    putExact(bits & Long.MAX_VALUE);
    endNumber(start, value < 0);
  }

  /** Whether the double is an integer in the range of long. */
  static boolean isLong(double value) {
    return value >= -TWO_TO_63 && value < TWO_TO_63 && value == (long) value;
  }

  private void appendDecimal(long high, long low) {
    if (DecimalBits.isNaN(high)) {
      key.put(IndexKeyV1.NAN);
      putRaw(high, low);
      return;
    }
    long coefficientHigh = DecimalBits.coefficientHigh(high, low);
    long coefficientLow = DecimalBits.coefficientLow(high, low);
    if (DecimalBits.isInfinite(high)) {
      int start = startNumber(high < 0);
      putExact(Double.doubleToRawLongBits(Double.POSITIVE_INFINITY));
      endNumber(start, high < 0);
      putRaw(high, low);
    } else if ((coefficientHigh | coefficientLow) == 0) {
      appendDecimalZero(high, low);
    } else {
      int start = startNumber(high < 0);
      appendMagnitude(coefficientHigh, coefficientLow, DecimalBits.exponent(high));
      endNumber(start, high < 0);
    }
  }

  private void appendDecimalZero(long high, long low) {
    key.put(IndexKeyV1.ZERO);
    if (DecimalBits.isCanonical(high, low)) {
      typeBits.put(TypeBits.DECIMAL_ZERO);
      typeBits
          .buffer()
          .putInt16(
              (high < 0 ? 0x8000 : 0) | DecimalBits.exponent(high) - DecimalBits.EXPONENT_MIN);
    } else {
      putRaw(high, low);
    }
  }

  private void putRaw(long high, long low) {
    typeBits.put(TypeBits.DECIMAL_RAW);
    typeBits.buffer().putInt64(high);
    typeBits.buffer().putInt64(low);
  }

  private void appendMagnitude(long high, long low, int exponent) {
    double truncated = DecimalBits.truncated(high, low, exponent);
    double magnitude = Math.abs(truncated);
    long bits = Double.doubleToRawLongBits(magnitude);
    int count = writeDigits(high, low);
    int significant = count;
    while (digits[significant - 1] == 0) {
      significant--;
    }
    boolean guessable = false;
    if (Double.doubleToRawLongBits(truncated) >= 0) {
      putExact(bits);
    } else {
      putTruncated(bits);
      if (magnitude >= TWO_TO_53 && magnitude < TWO_TO_64) {
        boolean whole = putRemainder((long) (magnitude * 0.5) << 1, count + exponent, significant);
        guessable = !whole || magnitude >= TWO_TO_63;
      } else {
        key.putInt16(count - 1 + exponent - DecimalBits.EXPONENT_MIN);
        putDigits(0, significant);
        guessable = true;
      }
    }
    putTrailingZeros(count - significant, guessable);
  }

  private void putTrailingZeros(int zeros, boolean guessable) {
    if (zeros > 0) {
      typeBits.put(TypeBits.DECIMAL_TRAILING_ZEROS);
      typeBits.buffer().put(zeros);
    } else if (guessable) {
      typeBits.guess();
    } else {
      typeBits.put(TypeBits.DECIMAL);
    }
  }

  /**
   * Writes how much the number exceeds {@code floor}, a double between 2^53 and 2^64.
   *
   * @param wholeDigits how many digits stand before the decimal point
   * @return whether the number is an integer
   */
  private boolean putRemainder(long floor, int wholeDigits, int significant) {
    long whole = 0;
    for (int i = 0; i < wholeDigits; i++) {
      whole = whole * 10 + (i < significant ? digits[i] : 0);
    }
    boolean hasFraction = significant > wholeDigits;
    key.putInt16((int) (whole - floor) << 1 | (hasFraction ? 1 : 0));
    if (hasFraction) {
      putDigits(wholeDigits, significant);
    }
    return !hasFraction;
  }

  /** The digits of a coefficient that is not zero; returns how many. */
  private int writeDigits(long high, long low) {
    if (high != 0 || low < 0) {
      BigInteger coefficient = DecimalBits.toBigInteger(high, low);
      String text = coefficient.toString();
      for (int i = 0; i < text.length(); i++) {
        digits[i] = (byte) (text.charAt(i) - '0');
      }
      return text.length();
    }
    int count = DecimalBits.digits(high, low);
    long rest = low;
    for (int i = count - 1; i >= 0; i--) {
      digits[i] = (byte) (rest % 10);
      rest /= 10;
    }
    return count;
  }

  /** Two digits a byte, the lowest bit saying whether more follow. The last one is not zero. */
  private void putDigits(int from, int to) {
    key.ensure((to - from + 1) / 2);
    for (int i = from; i < to; i += 2) {
      int pair = digits[i] * 10 + (i + 1 < to ? digits[i + 1] : 0);
      key.put(pair << 1 | (i + 2 < to ? 1 : 0));
    }
  }

  private int startNumber(boolean negative) {
    key.ensure(12);
    key.put(negative ? IndexKeyV1.NEGATIVE : IndexKeyV1.POSITIVE);
    return key.length();
  }

  private void endNumber(int start, boolean negative) {
    if (negative) {
      key.invertFrom(start);
    }
  }

  private void putExact(long bits) {
    long rest = bits << 1;
    do {
      int group = (int) (rest >>> 57);
      rest <<= 7;
      key.put(group << 1 | (rest != 0 ? 1 : 0));
    } while (rest != 0);
  }

  private void putTruncated(long bits) {
    long rest = bits << 1;
    for (int i = 0; i < IndexKeyV1.GROUPS; i++) {
      key.put((int) (rest >>> 57) << 1 | 1);
      rest <<= 7;
    }
  }
}
