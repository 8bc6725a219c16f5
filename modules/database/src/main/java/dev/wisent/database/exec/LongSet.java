package dev.wisent.database.exec;

/** A set of record ids that only grows; eight bytes an entry, and some room. */
final class LongSet {
  private static final long EMPTY = 0;

  private long[] table = new long[32];
  private int size;
  private boolean hasZero;

  /** Whether the value was not there yet. */
  boolean add(long value) {
    if (value == EMPTY) {
      boolean added = !hasZero;
      hasZero = true;
      return added;
    }
    int mask = table.length - 1;
    int place = spread(value) & mask;
    while (table[place] != EMPTY) {
      if (table[place] == value) {
        return false;
      }
      place = (place + 1) & mask;
    }
    table[place] = value;
    if (++size > table.length / 2) {
      grow();
    }
    return true;
  }

  boolean contains(long value) {
    if (value == EMPTY) {
      return hasZero;
    }
    int mask = table.length - 1;
    int place = spread(value) & mask;
    while (table[place] != EMPTY) {
      if (table[place] == value) {
        return true;
      }
      place = (place + 1) & mask;
    }
    return false;
  }

  private void grow() {
    long[] old = table;
    table = new long[old.length * 2];
    int mask = table.length - 1;
    for (long value : old) {
      if (value != EMPTY) {
        int place = spread(value) & mask;
        while (table[place] != EMPTY) {
          place = (place + 1) & mask;
        }
        table[place] = value;
      }
    }
  }

  private static int spread(long value) {
    long mixed = value * 0x9E3779B97F4A7C15L;
    return (int) (mixed ^ (mixed >>> 32));
  }
}
