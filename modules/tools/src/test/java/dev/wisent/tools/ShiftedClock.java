package dev.wisent.tools;

import dev.wisent.base.Clock;
import java.time.Duration;

/** The machine's clock, but later. Thread-safe. */
public final class ShiftedClock implements Clock {
  private volatile Duration wall = Duration.ZERO;
  private volatile Duration monotonic = Duration.ZERO;

  /** Of a process that runs. */
  public void pass(Duration time) {
    wall = wall.plus(time);
    monotonic = monotonic.plus(time);
  }

  /** Of a machine that is suspended, whose monotonic clock stands still. */
  public void passWhileSuspended(Duration time) {
    wall = wall.plus(time);
  }

  @Override
  public long wallMillis() {
    return Clock.system().wallMillis() + wall.toMillis();
  }

  @Override
  public long monotonicNanos() {
    return Clock.system().monotonicNanos() + monotonic.toNanos();
  }
}
