package dev.wisent.database.exec;

import java.util.Arrays;
import java.util.List;

/** Bounds that are several ranges of keys. */
final class RangeCheck extends KeyCheck {
  private final List<ByteRange> ranges;
  private final boolean reverse;
  private int current;

  RangeCheck(List<ByteRange> ranges, boolean reverse) {
    this.ranges = reverse ? ranges.reversed() : ranges;
    this.reverse = reverse;
  }

  @Override
  Verdict check(byte[] key, int length) {
    while (current < ranges.size() && isPast(ranges.get(current), key, length)) {
      current++;
    }
    if (current == ranges.size()) {
      return Verdict.DONE;
    }
    return isReached(ranges.get(current), key, length) ? Verdict.WITHIN : Verdict.SEEK;
  }

  private boolean isPast(ByteRange range, byte[] key, int length) {
    return reverse
        ? compare(key, length, range.lower()) < 0
        : range.upper() != null && compare(key, length, range.upper()) >= 0;
  }

  private boolean isReached(ByteRange range, byte[] key, int length) {
    return reverse
        ? range.upper() == null || compare(key, length, range.upper()) < 0
        : compare(key, length, range.lower()) >= 0;
  }

  private static int compare(byte[] key, int length, byte[] bound) {
    return Arrays.compareUnsigned(key, 0, length, bound, 0, bound.length);
  }

  @Override
  byte[] target() {
    ByteRange range = ranges.get(current);
    return reverse ? range.upper() : range.lower();
  }
}
