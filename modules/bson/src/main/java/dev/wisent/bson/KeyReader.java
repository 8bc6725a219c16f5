package dev.wisent.bson;

/** Reads the bytes of a key, inverted where they were written inverted. */
final class KeyReader {
  private final byte[] key;
  private final int end;
  private int at;
  private int mask;

  /** Whether the double that was read last is not the whole number. */
  private boolean cutOff;

  KeyReader(byte[] key, int from, int end) {
    this.key = key;
    this.at = from;
    this.end = end;
  }

  int position() {
    return at;
  }

  void descending(boolean descending) {
    mask = descending ? 0xFF : 0;
  }

  /** Turns the bytes around, at the start and end of a negative number. */
  void invert() {
    mask ^= 0xFF;
  }

  int next() {
    if (at >= end) {
      throw damaged("it ends too early");
    }
    return (key[at++] & 0xFF) ^ mask;
  }

  int int16() {
    return next() << 8 | next();
  }

  int int32() {
    return int16() << 16 | int16();
  }

  long int64() {
    return (long) int32() << 32 | (int32() & 0xFFFFFFFFL);
  }

  void copy(byte[] target, int offset, int length) {
    checkLeft(length);
    for (int i = 0; i < length; i++) {
      target[offset + i] = (byte) (key[at + i] ^ mask);
    }
    at += length;
  }

  private void skip(int length) {
    checkLeft(length);
    at += length;
  }

  void checkLeft(int length) {
    if (length < 0 || length > end - at) {
      throw damaged("it ends too early");
    }
  }

  IllegalStateException damaged(String reason) {
    return new IllegalStateException("damaged index key at byte " + at + ": " + reason);
  }

  void skipValue() {
    skipBody(next());
  }

  private void skipBody(int first) {
    switch (first) {
      case IndexKeyV1.MIN_KEY,
          IndexKeyV1.UNDEFINED,
          IndexKeyV1.NULL,
          IndexKeyV1.NAN,
          IndexKeyV1.ZERO,
          IndexKeyV1.FALSE,
          IndexKeyV1.TRUE,
          IndexKeyV1.MAX_KEY -> {}
      case IndexKeyV1.POSITIVE -> skipNumber();
      case IndexKeyV1.NEGATIVE -> {
        invert();
        skipNumber();
        invert();
      }
      case IndexKeyV1.TEXT, IndexKeyV1.CODE -> skipPast0();
      case IndexKeyV1.DOCUMENT -> skipDocument();
      case IndexKeyV1.ARRAY -> {
        for (int next = next(); next != IndexKeyV1.END; next = next()) {
          skipBody(next);
        }
      }
      case IndexKeyV1.BINARY -> skip(1 + binaryLength());
      case IndexKeyV1.OBJECT_ID -> skip(12);
      case IndexKeyV1.DATE, IndexKeyV1.TIMESTAMP -> skip(8);
      case IndexKeyV1.REGEX -> {
        skipPast0();
        skipPast0();
      }
      case IndexKeyV1.DB_POINTER -> {
        int length = int32();
        checkLeft(length);
        skip(length + 12);
      }
      case IndexKeyV1.CODE_WITH_SCOPE -> {
        skipPast0();
        skipDocument();
      }
      default -> throw damaged("unknown class " + first);
    }
  }

  int binaryLength() {
    int length = next();
    if (length == IndexKeyV1.LONG_BINARY) {
      length = int32();
    }
    checkLeft(length);
    return length;
  }

  private void skipPast0() {
    while (next() != 0) {
      // The zero byte cannot be part of the text.
    }
  }

  private void skipDocument() {
    for (int first = next(); first != IndexKeyV1.END; first = next()) {
      skipPast0();
      boolean several = first == IndexKeyV1.NAN || first == IndexKeyV1.FALSE;
      skipBody(several ? next() : first);
    }
  }

  private void skipNumber() {
    long bits = 0;
    for (int i = 0; i < IndexKeyV1.GROUPS; i++) {
      int group = next();
      bits = bits << 7 | group >>> 1;
      if ((group & 1) == 0) {
        return;
      }
    }
    double floor = Double.longBitsToDouble(bits);
    if (isRemainderRange(floor)) {
      if ((int16() & 1) == 0) {
        return;
      }
    } else {
      skip(2);
    }
    while ((next() & 1) != 0) {
      // more digits
    }
  }

  /** The value that comes next: an integer, or a binary of eight bytes. */
  long int64Value() {
    int first = next();
    return switch (first) {
      case IndexKeyV1.ZERO -> 0;
      case IndexKeyV1.POSITIVE -> magnitude();
      case IndexKeyV1.NEGATIVE -> {
        invert();
        long magnitude = magnitude();
        invert();
        yield -magnitude;
      }
      case IndexKeyV1.BINARY -> {
        if (binaryLength() != Long.BYTES) {
          throw damaged("no binary of eight bytes");
        }
        skip(1);
        yield int64();
      }
      default -> throw damaged("no integer: " + first);
    };
  }

  /** The number that comes next, without what a double has no room for. */
  double doubleValue() {
    int first = next();
    return switch (first) {
      case IndexKeyV1.NAN -> Double.NaN;
      case IndexKeyV1.ZERO -> 0;
      case IndexKeyV1.POSITIVE -> Double.longBitsToDouble(groups());
      case IndexKeyV1.NEGATIVE -> {
        invert();
        double magnitude = Double.longBitsToDouble(groups());
        invert();
        yield -magnitude;
      }
      default -> throw damaged("no number: " + first);
    };
  }

  /** The bits of the double that is not above the number. */
  private long groups() {
    long bits = 0;
    cutOff = true;
    for (int i = IndexKeyV1.GROUPS - 1; cutOff && i >= 0; i--) {
      int group = next();
      bits |= (long) (group >>> 1) << (7 * i);
      cutOff = (group & 1) != 0;
    }
    return bits;
  }

  /** Unsigned: 2^63 is one, too. */
  private long magnitude() {
    long whole = whole(Double.longBitsToDouble(groups()));
    return cutOff ? whole + (int16() >>> 1) : whole;
  }

  private static long whole(double value) {
    return value < KeyNumberEncoder.TWO_TO_53 ? (long) value : (long) (value * 0.5) << 1;
  }

  /** Whether a number that is cut off at this double is continued as a remainder. */
  static boolean isRemainderRange(double floor) {
    return floor >= KeyNumberEncoder.TWO_TO_53 && floor < KeyNumberEncoder.TWO_TO_64;
  }
}
