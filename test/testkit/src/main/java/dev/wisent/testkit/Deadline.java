package dev.wisent.testkit;

import java.time.Duration;

/** A moment on the monotonic clock by which something has to be done. */
public record Deadline(long nanoTime) {

  public static Deadline after(Duration duration) {
    return new Deadline(System.nanoTime() + duration.toNanos());
  }

  public boolean expired() {
    return remainingNanos() <= 0;
  }

  /** Nanoseconds left; zero or negative once expired. */
  public long remainingNanos() {
    return nanoTime - System.nanoTime();
  }

  /** What is left, never negative. */
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, remainingNanos()));
  }
}
