package dev.wisent.server.analysis;

import java.util.concurrent.TimeUnit;

/** Allows so many samples in a second, and after a pause those of one second at once. */
final class TokenBucket {
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final double perSecond;
  private final double capacity;
  private double tokens;
  private long filledNanos;

  TokenBucket(double perSecond, long nowNanos) {
    this.perSecond = perSecond;
    this.capacity = Math.max(1, perSecond);
    this.tokens = capacity;
    this.filledNanos = nowNanos;
  }

  double perSecond() {
    return perSecond;
  }

  synchronized boolean take(long nowNanos) {
    double since = Math.max(0, nowNanos - filledNanos) / NANOS_PER_SECOND;
    tokens = Math.min(capacity, tokens + since * perSecond);
    filledNanos = nowNanos;
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }
}
