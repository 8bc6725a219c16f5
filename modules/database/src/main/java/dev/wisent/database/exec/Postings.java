package dev.wisent.database.exec;

import java.util.Arrays;

/** The records that have a term, each with its score. */
final class Postings {
  private static final int FIRST_CAPACITY = 64;

  private long[] records = new long[FIRST_CAPACITY];
  private double[] scores = new double[FIRST_CAPACITY];
  private int size;

  void add(long recordId, double score) {
    if (size == records.length) {
      records = Arrays.copyOf(records, size * 2);
      scores = Arrays.copyOf(scores, size * 2);
    }
    records[size] = recordId;
    scores[size] = score;
    size++;
  }

  int size() {
    return size;
  }

  long recordId(int place) {
    return records[place];
  }

  double score(int place) {
    return scores[place];
  }
}
