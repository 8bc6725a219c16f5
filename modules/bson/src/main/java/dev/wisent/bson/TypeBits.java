package dev.wisent.bson;

/**
 * What a key loses, because equal values must have equal keys: which of the number types a number
 * had, how many zeros a decimal ended with, whether a text was a symbol.
 *
 * <p>Numbers and texts are counted in the order in which they stand in the key. Those of the type
 * that the decoder would guess leave no trace. Each of the others is one header byte, with its code
 * in the low four bits and in the high four the number of guessable values before it (15: a varint
 * of the rest follows), and the payload of its code.
 */
final class TypeBits {
  /** The decoder's guess is right: never written. */
  static final int GUESS = 0;

  static final int INT64 = 1;
  static final int DOUBLE = 2;
  static final int DOUBLE_NEGATIVE_ZERO = 3;

  /** NaN that is not the usual one; eight bytes follow. */
  static final int DOUBLE_RAW = 4;

  /** A decimal whose coefficient does not end with a zero. */
  static final int DECIMAL = 5;

  /** One byte follows: how many zeros the coefficient ends with. */
  static final int DECIMAL_TRAILING_ZEROS = 6;

  /** Two bytes follow: the sign in the highest bit, the biased exponent in the others. */
  static final int DECIMAL_ZERO = 7;

  /** NaN, an infinity, or an encoding that is not canonical; sixteen bytes follow. */
  static final int DECIMAL_RAW = 8;

  static final int SYMBOL = 9;

  private static final int SKIP_MAX = 15;

  private TypeBits() {}

  /** Collects the type bits of one key. */
  static final class Writer {
    private final KeyBuffer buffer = new KeyBuffer(16);
    private int guessed;

    void reset() {
      buffer.truncate(0);
      guessed = 0;
    }

    KeyBuffer buffer() {
      return buffer;
    }

    void guess() {
      guessed++;
    }

    void put(int code) {
      if (guessed < SKIP_MAX) {
        buffer.put(guessed << 4 | code);
      } else {
        buffer.put(SKIP_MAX << 4 | code);
        int rest = guessed - SKIP_MAX;
        for (; rest >= 0x80; rest >>>= 7) {
          buffer.put(rest | 0x80);
        }
        buffer.put(rest);
      }
      guessed = 0;
    }
  }

  /** Reads them back. */
  static final class Reader {
    private final byte[] bytes;
    private final int end;
    private int at;
    private int code;
    private int skip = -1;

    Reader(byte[] bytes, int offset, int length) {
      this.bytes = bytes;
      this.at = offset;
      this.end = offset + length;
    }

    /** The code of the next number or text. Its payload, if any, must be read at once. */
    int next() {
      if (skip < 0) {
        if (at == end) {
          return GUESS;
        }
        readHeader();
      }
      return skip-- > 0 ? GUESS : code;
    }

    private void readHeader() {
      int header = bytes[at++] & 0xFF;
      code = header & 0x0F;
      skip = header >>> 4;
      if (skip == SKIP_MAX) {
        int b;
        int shift = 0;
        do {
          b = bytes[at++];
          skip += (b & 0x7F) << shift;
          shift += 7;
        } while (b < 0);
      }
    }

    int int8() {
      return bytes[at++] & 0xFF;
    }

    int int16() {
      return int8() << 8 | int8();
    }

    long int64() {
      long value = Long.reverseBytes(LittleEndian.int64(bytes, at));
      at += 8;
      return value;
    }
  }
}
