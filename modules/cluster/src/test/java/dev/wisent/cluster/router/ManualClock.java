package dev.wisent.cluster.router;

import dev.wisent.base.Clock;
import java.util.concurrent.TimeUnit;

/** A clock that a test moves. */
final class ManualClock implements Clock {
  private volatile long nanos = TimeUnit.DAYS.toNanos(1);

  void advance(long amount, TimeUnit unit) {
    nanos += unit.toNanos(amount);
  }

  @Override
  public long wallMillis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  @Override
  public long monotonicNanos() {
    return nanos;
  }
}
