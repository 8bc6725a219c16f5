package dev.wisent.server.user;

import dev.wisent.base.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test moves. */
final class ManualClock implements Clock {
  private final AtomicLong nanos = new AtomicLong(1);

  void advance(long by) {
    nanos.addAndGet(by);
  }

  @Override
  public long wallMillis() {
    return nanos.get() / 1_000_000;
  }

  @Override
  public long monotonicNanos() {
    return nanos.get();
  }
}
