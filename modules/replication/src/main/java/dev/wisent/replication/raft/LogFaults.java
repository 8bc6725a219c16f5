package dev.wisent.replication.raft;

import dev.wisent.base.Clock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Why this node does not follow the log: its disk is full, say. A log that fails is started again
 * and again, and for a moment each time it looks as if all were well; so it counts as mended only
 * when something was applied. Thread-safe.
 */
final class LogFaults {
  private static final long AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Clock clock;
  private volatile String fault;
  private long diedNanos; // guarded by this
  private boolean died; // guarded by this

  LogFaults(Clock clock) {
    this.clock = clock;
  }

  void cannotApply(RuntimeException why) {
    fault = "cannot apply the log: " + why.getMessage();
  }

  /** The log has ended by itself. Once may be an accident. */
  synchronized void died() {
    long now = clock.monotonicNanos();
    if (died && now - diedNanos < AGAIN_NANOS && fault == null) {
      fault = "the log ends whenever it is started";
    }
    died = true;
    diedNanos = now;
  }

  void applied() {
    if (fault != null) {
      fault = null;
    }
  }

  Optional<String> current() {
    return Optional.ofNullable(fault);
  }
}
