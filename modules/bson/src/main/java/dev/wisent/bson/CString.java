package dev.wisent.bson;

/** Zero-terminated names and patterns, searched a word at a time. */
final class CString {
  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private CString() {}

  /** Where the zero byte stands at or after {@code from}; there must be one. */
  static int end(byte[] bytes, int from) {
    int at = from;
    while (at + 8 <= bytes.length) {
      long zeros = zeroBytes(LittleEndian.int64(bytes, at));
      if (zeros != 0) {
        return at + (Long.numberOfTrailingZeros(zeros) >>> 3);
      }
      at += 8;
    }
    while (bytes[at] != 0) {
      at++;
    }
    return at;
  }

  /** The lowest set bit marks the first zero byte of the word; 0 where there is none. */
  static long zeroBytes(long word) {
    return (word - LOW_BITS) & ~word & HIGH_BITS;
  }

  /**
   * Compares two zero-terminated strings by their bytes. Both must be terminated within their
   * arrays.
   */
  static int compare(byte[] a, int aOffset, byte[] b, int bOffset) {
    int i = 0;
    while (true) {
      int x = a[aOffset + i] & 0xFF;
      int y = b[bOffset + i] & 0xFF;
      if (x != y) {
        return x < y ? -1 : 1;
      }
      if (x == 0) {
        return 0;
      }
      i++;
    }
  }
}
