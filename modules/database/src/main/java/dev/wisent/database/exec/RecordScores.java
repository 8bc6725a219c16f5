package dev.wisent.database.exec;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Sums of scores by record id. First all are added, then they are taken, the highest sum first, and
 * of equal ones that of the record that came first. Those that are not taken are not sorted either.
 */
final class RecordScores {
  private static final int FIRST_CAPACITY = 32;

  private long[] records = new long[FIRST_CAPACITY];
  private double[] sums = new double[FIRST_CAPACITY];
  private int size;

  /** Positions in the arrays above, the best one on top; null while records are added. */
  private int[] heap;

  private int left;
  private int current;

  /** Positions in the arrays above plus one, by the hash of the record id. */
  private int[] table = new int[FIRST_CAPACITY * 2];

  /** Adds what stands in the order of an index: of equal scores the last one comes first. */
  void addAll(Postings postings) {
    reserve(size + postings.size());
    for (int i = postings.size() - 1; i >= 0; i--) {
      add(postings.recordId(i), postings.score(i));
    }
  }

  private void add(long recordId, double score) {
    int place = place(recordId);
    if (table[place] == 0) {
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

  private void reserve(int wanted) {
    int capacity = records.length;
    while (capacity < wanted) {
      capacity *= 2;
    }
    if (capacity == records.length) {
      return;
    }
    records = Arrays.copyOf(records, capacity);
    sums = Arrays.copyOf(sums, capacity);
    table = new int[2 * capacity];
    for (int i = 0; i < size; i++) {
      table[place(records[i])] = i + 1;
    }
  }

  private static int spread(long value) {
    long mixed = value * 0x9E3779B97F4A7C15L;
    return (int) (mixed ^ (mixed >>> 32));
  }

  /** Moves to the next record; false at the end. Nothing can be added any more. */
  boolean next() {
    if (heap == null) {
      heap = IntStream.range(0, size).toArray();
      left = size;
      for (int i = size / 2 - 1; i >= 0; i--) {
        sink(i);
      }
    }
    if (left == 0) {
      return false;
    }
    current = heap[0];
    heap[0] = heap[--left];
    sink(0);
    return true;
  }

  private void sink(int from) {
    int at = from;
    while (true) {
      int better = 2 * at + 1;
      if (better + 1 < left && isBefore(heap[better + 1], heap[better])) {
        better++;
      }
      if (better >= left || !isBefore(heap[better], heap[at])) {
        return;
      }
      int moved = heap[at];
      heap[at] = heap[better];
      heap[better] = moved;
      at = better;
    }
  }

  private boolean isBefore(int a, int b) {
    return sums[a] > sums[b] || (sums[a] == sums[b] && a < b);
  }

  long recordId() {
    return records[current];
  }

  double score() {
    return sums[current];
  }
}
