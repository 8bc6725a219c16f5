package dev.wisent.query.geo;

/**
 * Places in an order of keys, as a few ranges. It forgets what was added first when there are too
 * many: the caller then reads something twice.
 */
final class PositionSet {
  private static final int RANGES_MAX = 16;

  private final long[] first = new long[RANGES_MAX];
  private final long[] last = new long[RANGES_MAX];
  private int size;

  /** Adds all from one place to another, if that is not before the first. */
  void add(long from, long to) {
    if (to < from) {
      return;
    }
    long low = from;
    long high = to;
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (touches(i, low, high)) {
        low = Math.min(low, first[i]);
        high = Math.max(high, last[i]);
      } else {
        move(i, kept++);
      }
    }
    size = kept;
    if (size == RANGES_MAX) {
      for (int i = 1; i < size; i++) {
        move(i, i - 1);
      }
      size--;
    }
    first[size] = low;
    last[size] = high;
    size++;
  }

  private void move(int from, int to) {
    first[to] = first[from];
    last[to] = last[from];
  }

  /** Whether a range overlaps another or begins right behind it. */
  private boolean touches(int i, long low, long high) {
    return (first[i] <= high || first[i] - 1 == high) && (low <= last[i] || low - 1 == last[i]);
  }

  /** The first place from here on that is not in the set; the least of all if there is none. */
  long nextMissing(long from) {
    for (int i = 0; i < size; i++) {
      if (first[i] <= from && from <= last[i]) {
        return last[i] + 1;
      }
    }
    return from;
  }

  /** The last place before the first one in the set, from one that is not in it. */
  long lastMissing(long from, long to) {
    long end = to;
    for (int i = 0; i < size; i++) {
      if (first[i] > from && first[i] <= end) {
        end = first[i] - 1;
      }
    }
    return end;
  }
}
