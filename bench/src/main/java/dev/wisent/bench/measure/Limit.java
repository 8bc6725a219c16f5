package dev.wisent.bench.measure;

import java.time.Duration;

/** When a run ends: after so many operations of all clients together, or after a time. */
public record Limit(long operations, Duration time) {
  private static final long UNLIMITED = Long.MAX_VALUE;

  public Limit {
    if (operations < 1 || time.isNegative() || time.isZero()) {
      throw new IllegalArgumentException("empty limit: " + operations + " or " + time);
    }
  }

  public static Limit ofTime(Duration time) {
    return new Limit(UNLIMITED, time);
  }

  /** The share of one of {@code clients}; the shares add up. */
  long operationsOf(int client, int clients) {
    if (operations == UNLIMITED) {
      return UNLIMITED;
    }
    return operations / clients + (client < operations % clients ? 1 : 0);
  }
}
