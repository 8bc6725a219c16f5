package dev.wisent.database.exec;

import java.util.Arrays;

/** Sums of scores by record id, in the order in which the records came. */
final class RecordScores {
  private static final int FIRST_CAPACITY = 32;

  private long[] records = new long[FIRST_CAPACITY];
  private double[] sums = new double[FIRST_CAPACITY];
  private int size;

  /** Positions in the arrays above plus one, by the hash of the record id. */
  private int[] table = new int[FIRST_CAPACITY * 2];

  void add(long recordId, double score) {
    int place = place(recordId);
    if (table[place] == 0) {
      if (size == records.length) {
        grow();
        place = place(recordId);
      }
      records[size] = recordId;
      table[place] = ++size;
    }
    sums[table[place] - 1] += score;
  }

  private int place(long recordId) {
    int mask = table.length - 1;
    int place = spread(recordId) & mask;
    while (table[place] != 0 && records[table[place] - 1] != recordId) {
      place = (place + 1) & mask;
    }
    return place;
  }

  private void grow() {
    records = Arrays.copyOf(records, size * 2);
    sums = Arrays.copyOf(sums, size * 2);
    table = new int[table.length * 2];
    for (int i = 0; i < size; i++) {
      table[place(records[i])] = i + 1;
    }
  }

  private static int spread(long value) {
    long mixed = value * 0x9E3779B97F4A7C15L;
    return (int) (mixed ^ (mixed >>> 32));
  }

  int size() {
    return size;
  }

  long recordId(int position) {
    return records[position];
  }

  double score(int position) {
    return sums[position];
  }
}
