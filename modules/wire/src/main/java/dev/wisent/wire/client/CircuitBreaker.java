package dev.wisent.wire.client;

import java.util.concurrent.TimeUnit;

/**
 * Whether a host is worth calling. After several attempts to connect in a row have failed, the
 * circuit is open: calls fail at once, and one probe at a time looks whether the host is back,
 * after a pause that doubles. Guarded by the lock of its pool.
 */
final class CircuitBreaker {
  static final int FAILURES_MAX = 3;
  static final long PAUSE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(50);
  static final long PAUSE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(1000);

  private int failures;
  private long pauseNanos;

  boolean isOpen() {
    return failures >= FAILURES_MAX;
  }

  /** How long to wait before the next probe; only of an open circuit. */
  long pauseNanos() {
    return pauseNanos;
  }

  void failed() {
    failures++;
    if (isOpen()) {
      pauseNanos = Math.min(PAUSE_NANOS_MAX, Math.max(PAUSE_NANOS_MIN, 2 * pauseNanos));
    }
  }

  void succeeded() {
    failures = 0;
    pauseNanos = 0;
  }

  /** Lets the next call try, as the probe. */
  void halfOpen() {
    failures = FAILURES_MAX - 1;
  }
}
