package dev.wisent.cluster.router;

import dev.wisent.base.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test moves. */
final class ManualClock implements Clock {
  private final AtomicLong nanos = new AtomicLong(TimeUnit.DAYS.toNanos(1));

  void advance(long amount, TimeUnit unit) {
    nanos.addAndGet(unit.toNanos(amount));
  }

  @Override
  public long wallMillis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos.get());
  }

  @Override
  public long monotonicNanos() {
    return nanos.get();
  }
}
