package dev.wisent.database.read;

import dev.wisent.database.operation.ResultCursor;

/** Counts with skip and limit. */
public final class Counter {
  private Counter() {}

  /** How many of {@code total} are left after skip, and up to limit (0 for all). */
  public static long within(long total, long skip, long limit) {
    long left = Math.max(0, total - skip);
    return limit == 0 ? left : Math.min(left, limit);
  }

  public static long count(ResultCursor matching, long skip, long limit) {
    // A sum that is too large for a long comes out negative.
    long enough = limit == 0 || skip + limit < 0 ? Long.MAX_VALUE : skip + limit;
    long total = 0;
    while (total < enough && matching.peek() != null) {
      matching.take();
      total++;
    }
    return within(total, skip, limit);
  }
}
