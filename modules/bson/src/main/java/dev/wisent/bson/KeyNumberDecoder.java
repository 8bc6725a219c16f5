package dev.wisent.bson;

import java.math.BigDecimal;
import java.math.BigInteger;

/** Turns the numbers of keys back into values of the type that they had. */
final class KeyNumberDecoder {
  private final KeyReader reader;
  private final TypeBits.Reader typeBits;
  private final BsonBuilder builder;

  KeyNumberDecoder(KeyReader reader, TypeBits.Reader typeBits, BsonBuilder builder) {
    this.reader = reader;
    this.typeBits = typeBits;
    this.builder = builder;
  }

  void append(int first, byte[] name) {
    int code = typeBits.next();
    switch (first) {
      case IndexKeyV1.NAN -> appendNaN(code, name);
      case IndexKeyV1.ZERO -> appendZero(code, name);
      case IndexKeyV1.POSITIVE -> appendMagnitude(code, name, false);
      default -> {
        reader.invert();
        appendMagnitude(code, name, true);
        reader.invert();
      }
    }
  }

  private void appendNaN(int code, byte[] name) {
    switch (code) {
      case TypeBits.GUESS -> putDouble(name, KeyNumberEncoder.NAN_BITS);
      case TypeBits.DOUBLE_RAW -> putDouble(name, typeBits.int64());
      case TypeBits.DECIMAL_RAW -> putDecimal(name, typeBits.int64(), typeBits.int64());
      default -> throw unfit(code);
    }
  }

  private void appendZero(int code, byte[] name) {
    switch (code) {
      case TypeBits.GUESS -> name(ElementType.INT32, name).putInt32(0);
      case TypeBits.INT64 -> name(ElementType.INT64, name).putInt64(0);
      case TypeBits.DOUBLE -> putDouble(name, 0);
      case TypeBits.DOUBLE_NEGATIVE_ZERO -> putDouble(name, Long.MIN_VALUE);
      case TypeBits.DECIMAL_ZERO -> {
        int bits = typeBits.int16();
        int exponent = (bits & 0x7FFF) + DecimalBits.EXPONENT_MIN;
        putDecimal(name, DecimalBits.highBits((bits & 0x8000) != 0, 0, exponent), 0);
      }
      case TypeBits.DECIMAL_RAW -> putDecimal(name, typeBits.int64(), typeBits.int64());
      default -> throw unfit(code);
    }
  }

  private void appendMagnitude(int code, byte[] name, boolean negative) {
    long bits = 0;
    for (int i = 0; i < IndexKeyV1.GROUPS; i++) {
      int group = reader.next();
      bits |= (long) (group >>> 1) << (7 * (IndexKeyV1.GROUPS - 1 - i));
      if ((group & 1) == 0) {
        appendExact(code, name, negative, bits);
        return;
      }
    }
    double floor = Double.longBitsToDouble(bits);
    if (KeyReader.isRemainderRange(floor)) {
      appendRemainder(code, name, negative, (long) (floor * 0.5) << 1);
    } else {
      int exponent = reader.int16() + DecimalBits.EXPONENT_MIN;
      var digits = new StringBuilder();
      readDigits(digits);
      int scale = digits.length() - 1 - exponent;
      putDecimal(code, name, negative, new BigDecimal(new BigInteger(digits.toString()), scale));
    }
  }

  private void appendExact(int code, byte[] name, boolean negative, long bits) {
    double value = Double.longBitsToDouble(negative ? bits | Long.MIN_VALUE : bits);
    if (code == TypeBits.DECIMAL_RAW) {
      putDecimal(name, typeBits.int64(), typeBits.int64());
    } else if (code == TypeBits.DECIMAL || code == TypeBits.DECIMAL_TRAILING_ZEROS) {
      putDecimal(code, name, negative, new BigDecimal(Math.abs(value)));
    } else if (code == TypeBits.DOUBLE || !KeyNumberEncoder.isLong(value)) {
      putDouble(name, Double.doubleToRawLongBits(value));
    } else {
      putLong(code, name, (long) value);
    }
  }

  private void putLong(int code, byte[] name, long value) {
    if (code == TypeBits.GUESS && value == (int) value) {
      name(ElementType.INT32, name).putInt32((int) value);
    } else {
      name(ElementType.INT64, name).putInt64(value);
    }
  }

  private void appendRemainder(int code, byte[] name, boolean negative, long floor) {
    int remainder = reader.int16();
    long whole = floor + (remainder >>> 1);
    var digits = new StringBuilder(Long.toUnsignedString(whole));
    int wholeDigits = digits.length();
    if ((remainder & 1) != 0) {
      readDigits(digits);
    } else if (code == TypeBits.GUESS && whole > 0) {
      putLong(code, name, negative ? -whole : whole);
      return;
    }
    int scale = digits.length() - wholeDigits;
    putDecimal(code, name, negative, new BigDecimal(new BigInteger(digits.toString()), scale));
  }

  private void readDigits(StringBuilder digits) {
    int pair;
    do {
      pair = reader.next();
      digits.append((char) ('0' + (pair >>> 1) / 10)).append((char) ('0' + (pair >>> 1) % 10));
    } while ((pair & 1) != 0);
  }

  private void putDecimal(int code, byte[] name, boolean negative, BigDecimal magnitude) {
    int zeros = code == TypeBits.DECIMAL_TRAILING_ZEROS ? typeBits.int8() : 0;
    BigDecimal stripped = magnitude.stripTrailingZeros();
    BigInteger coefficient = stripped.unscaledValue().multiply(BigInteger.TEN.pow(zeros));
    int exponent = -stripped.scale() - zeros;
    long coefficientHigh = coefficient.shiftRight(64).longValue();
    putDecimal(
        name, DecimalBits.highBits(negative, coefficientHigh, exponent), coefficient.longValue());
  }

  private void putDecimal(byte[] name, long high, long low) {
    name(ElementType.DECIMAL128, name).putInt64(low).putInt64(high);
  }

  private void putDouble(byte[] name, long bits) {
    name(ElementType.DOUBLE, name).putInt64(bits);
  }

  private BsonBuilder name(byte type, byte[] name) {
    return builder.name(type, name, 0, name.length);
  }

  private IllegalStateException unfit(int code) {
    return reader.damaged("type code " + code + " does not fit");
  }
}
