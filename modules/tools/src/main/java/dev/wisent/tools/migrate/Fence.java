package dev.wisent.tools.migrate;

import dev.wisent.base.Clock;
import dev.wisent.tools.command.ToolException;
import java.time.Duration;

/**
 * Keeps a process that has lost the migration from writing to the target. Each write asks it first.
 * It asks the target where the last answer is old by either clock: the monotonic one of a process
 * that was suspended may have stood still. Thread-safe.
 */
final class Fence {
  static final String LOST =
      "another process has taken over this migration, or its state was dropped";

  /** Less than the time for which another process waits before it takes over. */
  private static final Duration CONFIRMED = Duration.ofSeconds(2);

  /** Says that this process is alive, and returns whether it still has the migration. */
  @FunctionalInterface
  interface Beat {
    boolean send();
  }

  private final Beat beat;
  private final Clock clock;
  private boolean begun; // guarded by this
  private long confirmedNanos; // guarded by this
  private long confirmedWallMillis; // guarded by this
  private volatile boolean lost;
  private volatile Exception failure;

  Fence(Beat beat, Clock clock) {
    this.beat = beat;
    this.clock = clock;
  }

  /** Says that this process is alive. */
  void beat() {
    // Taken before the question: the answer is of a later time.
    long nanos = clock.monotonicNanos();
    long wallMillis = clock.wallMillis();
    if (beat.send()) {
      confirmed(nanos, wallMillis);
    } else {
      lost = true;
    }
  }

  private synchronized void confirmed(long nanos, long wallMillis) {
    begun = true;
    confirmedNanos = nanos;
    confirmedWallMillis = wallMillis;
  }

  private synchronized boolean isConfirmed() {
    return begun
        && clock.monotonicNanos() - confirmedNanos < CONFIRMED.toNanos()
        && Math.abs(clock.wallMillis() - confirmedWallMillis) < CONFIRMED.toMillis();
  }

  /** To be called before each write to the target: fails if this process must not write. */
  void check() throws ToolException {
    Exception why = failure;
    if (why != null) {
      throw ToolException.failed(why.getMessage(), why);
    }
    if (!lost && !isConfirmed()) {
      beat();
    }
    if (lost) {
      throw ToolException.failed(LOST);
    }
  }

  /** Ends the work of all threads at their next write. */
  void fail(Exception why) {
    failure = why;
  }
}
