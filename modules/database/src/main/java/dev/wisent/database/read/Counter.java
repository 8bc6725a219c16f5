package dev.wisent.database.read;

import dev.wisent.database.exec.RunningPlan;
import dev.wisent.operation.CountRequest;

/** Counts with skip and limit. */
public final class Counter {
  private Counter() {}

  /** How many of {@code total} are left after skip, and up to limit (0 for all). */
  public static long within(long total, long skip, long limit) {
    long left = Math.max(0, total - skip);
    return limit == 0 ? left : Math.min(left, limit);
  }

  /** How many matches need to be seen for the answer to be known. */
  public static long enough(CountRequest request) {
    // A sum that is too large for a long comes out negative.
    long last = request.skip() + request.limit();
    return request.limit() == 0 || last < 0 ? Long.MAX_VALUE : last;
  }

  public static long count(RunningPlan matching, CountRequest request) {
    long enough = enough(request);
    long total = 0;
    while (total < enough && matching.next()) {
      total++;
    }
    return within(total, request.skip(), request.limit());
  }
}
