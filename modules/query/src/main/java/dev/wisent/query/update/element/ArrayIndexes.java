package dev.wisent.query.update.element;

import dev.wisent.bson.ElementType;

/** The decimal names of array elements as bytes. */
final class ArrayIndexes {
  private ArrayIndexes() {}

  static int digits(int index) {
    int digits = 1;
    for (int rest = index; rest >= 10; rest /= 10) {
      digits++;
    }
    return digits;
  }

  /** Bytes of {@code count} nulls at the positions from {@code index} on. */
  static int nullRunLength(int index, int count) {
    int length = 0;
    int at = index;
    int end = index + count;
    while (at < end) {
      int digits = digits(at);
      int next = Math.min(end, firstWithMoreDigits(digits));
      length += (next - at) * (2 + digits);
      at = next;
    }
    return length;
  }

  static int writeNullRun(byte[] out, int at, int index, int count) {
    int position = at;
    for (int i = index; i < index + count; i++) {
      out[position++] = ElementType.NULL;
      position = writeName(out, position, i);
    }
    return position;
  }

  /** Writes the digits and the zero byte after them. */
  static int writeName(byte[] out, int at, int index) {
    int end = at + digits(index);
    int rest = index;
    for (int i = end - 1; i >= at; i--) {
      out[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    out[end] = 0;
    return end + 1;
  }

  private static int firstWithMoreDigits(int digits) {
    long first = 1;
    for (int i = 0; i < digits; i++) {
      first *= 10;
    }
    return (int) Math.min(first, Integer.MAX_VALUE);
  }
}
