package dev.wisent.cluster.router.write;

import dev.wisent.base.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers of attempts, by the clock: those that a router takes later are greater, also where it is
 * another router. A clock that is behind shows when a shard knows a greater one. Thread-safe.
 */
final class RisingNumbers {
  private static final int PER_MILLI_BITS = 12;

  /** About 17 minutes. */
  private static final long LEAP = 1L << (PER_MILLI_BITS + 20);

  private final AtomicLong last = new AtomicLong();

  long next(Clock clock) {
    long now = clock.wallMillis() << PER_MILLI_BITS;
    return last.updateAndGet(before -> Math.max(before + 1, now));
  }

  /** A shard knows a greater number than this router has given. */
  void leap() {
    last.addAndGet(LEAP);
  }
}
