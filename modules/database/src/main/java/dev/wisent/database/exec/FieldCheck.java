package dev.wisent.database.exec;

import dev.wisent.bson.IndexKeyV1;
import dev.wisent.database.index.Index;
import dev.wisent.query.bounds.KeyInterval;
import dev.wisent.storage.RecordKeys;
import java.util.Arrays;

/**
 * Bounds whose intervals do not make ranges of keys, because an earlier field has more than points:
 * each field of a key is looked at by itself, and keys are skipped as soon as one does not fit.
 */
final class FieldCheck extends KeyCheck {
  private final KeyInterval[][] fields;
  private final boolean[] descending;
  private final boolean reverse;
  private byte[] target;

  FieldCheck(Index index, KeyInterval[][] fields, boolean reverse) {
    this.fields = fields;
    this.descending = new boolean[fields.length];
    for (int i = 0; i < fields.length; i++) {
      descending[i] = index.isKeyPartDescending(i);
    }
    this.reverse = reverse;
  }

  /** Where the first key within the bounds is, or after it. */
  byte[] start(int ident) {
    return target(RecordKeys.lowerBound(ident), RecordKeys.IDENT_BYTES, 0, reverse ? last(0) : 0);
  }

  private int last(int field) {
    return fields[field].length - 1;
  }

  @Override
  Verdict check(byte[] key, int length) {
    int offset = RecordKeys.IDENT_BYTES;
    for (int field = 0; field < fields.length; field++) {
      int end = IndexKeyV1.fieldEnd(key, offset, length - offset, descending[field]);
      int interval =
          reverse ? lastFrom(field, key, offset, end) : firstUpTo(field, key, offset, end);
      if (interval < 0) {
        return skipPrefix(key, offset, field);
      }
      if (!contains(fields[field][interval], key, offset, end)) {
        target = target(key, offset, field, interval);
        return Verdict.SEEK;
      }
      offset = end;
    }
    return Verdict.WITHIN;
  }

  /** The first interval that does not end before the field; -1 if all do. */
  private int firstUpTo(int field, byte[] key, int offset, int end) {
    KeyInterval[] intervals = fields[field];
    int low = 0;
    int high = intervals.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(key, offset, end, intervals[middle].upper()) >= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == intervals.length ? -1 : low;
  }

  /** The last interval that does not begin after the field; -1 if all do. */
  private int lastFrom(int field, byte[] key, int offset, int end) {
    KeyInterval[] intervals = fields[field];
    int low = 0;
    int high = intervals.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(key, offset, end, intervals[middle].lower()) >= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  private boolean contains(KeyInterval interval, byte[] key, int offset, int end) {
    return reverse
        ? compare(key, offset, end, interval.upper()) < 0
        : compare(key, offset, end, interval.lower()) >= 0;
  }

  private static int compare(byte[] key, int offset, int end, byte[] bound) {
    return Arrays.compareUnsigned(key, offset, end, bound, 0, bound.length);
  }

  /** Nothing is left with the fields before this one as they are. */
  private Verdict skipPrefix(byte[] key, int length, int field) {
    if (field == 0) {
      return Verdict.DONE;
    }
    target = reverse ? Arrays.copyOf(key, length) : IndexKeyV1.successor(key, length);
    return Verdict.SEEK;
  }

  /** The first place with these bytes in front, one field in an interval and the rest within. */
  private byte[] target(byte[] key, int length, int field, int interval) {
    byte[] place = Arrays.copyOf(key, length);
    for (int next = field; next < fields.length; next++) {
      int at = next == field ? interval : reverse ? last(next) : 0;
      KeyInterval within = fields[next][at];
      boolean exact = reverse ? within.lastInclusive() : within.firstInclusive();
      if (!exact || next == fields.length - 1) {
        return EncodedBounds.join(place, reverse ? within.upper() : within.lower());
      }
      place = EncodedBounds.join(place, reverse ? within.last() : within.first());
    }
    throw new IllegalStateException("an index without fields");
  }

  @Override
  byte[] target() {
    return target;
  }
}
