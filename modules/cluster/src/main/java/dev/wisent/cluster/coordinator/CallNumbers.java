package dev.wisent.cluster.coordinator;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers the calls of one run of a coordinator. Each message has a number of its own, also one
 * that repeats another: a shard that has run the second refuses the first. Thread-safe.
 */
public final class CallNumbers {
  private final long attempt;
  private final AtomicLong last = new AtomicLong();

  /**
   * @param attempt how many primaries have taken the run up, this one included
   */
  public CallNumbers(long attempt) {
    this.attempt = attempt;
  }

  public CallNumber next() {
    return new CallNumber(attempt, last.incrementAndGet());
  }
}
