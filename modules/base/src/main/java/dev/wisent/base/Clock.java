package dev.wisent.base;

/** Time as the server sees it, so that tests and simulations can supply their own. */
public interface Clock {
  /** Milliseconds since the epoch; may jump. */
  long wallMillis();

  /** Nanoseconds of a clock that never goes back, for durations. */
  long monotonicNanos();

  /** The machine's clock. */
  static Clock system() {
    return SystemClock.INSTANCE;
  }
}
