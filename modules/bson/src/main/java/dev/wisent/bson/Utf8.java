package dev.wisent.bson;

/** Checks UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. */
final class Utf8 {
  private static final long HIGH_BITS = 0x8080808080808080L;

  private Utf8() {}

  /** Reads only bytes from {@code from} (inclusive) to {@code end} (exclusive). */
  static boolean isValid(byte[] bytes, int from, int end) {
    int at = from;
    while (at + 8 <= end) {
      long high = LittleEndian.int64(bytes, at) & HIGH_BITS;
      if (high == 0) {
        at += 8;
        continue;
      }
      at += Long.numberOfTrailingZeros(high) >>> 3;
      // Other scripts than Latin come in runs of long sequences.
      do {
        int length = sequenceLength(bytes, at, end);
        if (length == 0) {
          return false;
        }
        at += length;
      } while (at < end && bytes[at] < 0);
    }
    while (at < end) {
      int length = bytes[at] >= 0 ? 1 : sequenceLength(bytes, at, end);
      if (length == 0) {
        return false;
      }
      at += length;
    }
    return true;
  }

  /** Length of the sequence that starts with a byte above 0x7F; 0 where it is malformed. */
  private static int sequenceLength(byte[] bytes, int at, int end) {
    int first = bytes[at] & 0xFF;
    if (first < 0xE0) {
      // 0x80..0xBF continue a sequence, 0xC0 and 0xC1 begin an overlong one.
      return first >= 0xC2 && at + 1 < end && isContinuation(bytes[at + 1]) ? 2 : 0;
    }
    if (at + 2 >= end || !isContinuation(bytes[at + 2])) {
      return 0;
    }
    int second = bytes[at + 1] & 0xFF;
    if (first < 0xF0) {
      int low = first == 0xE0 ? 0xA0 : 0x80;
      int high = first == 0xED ? 0x9F : 0xBF;
      return second >= low && second <= high ? 3 : 0;
    }
    int low = first == 0xF0 ? 0x90 : 0x80;
    int high = first == 0xF4 ? 0x8F : 0xBF;
    return first <= 0xF4
            && second >= low
            && second <= high
            && at + 3 < end
            && isContinuation(bytes[at + 3])
        ? 4
        : 0;
  }

  private static boolean isContinuation(byte b) {
    return (b & 0xC0) == 0x80;
  }
}
