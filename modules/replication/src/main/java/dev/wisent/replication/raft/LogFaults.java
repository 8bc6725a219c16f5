package dev.wisent.replication.raft;

import dev.wisent.base.Clock;
import dev.wisent.base.log.Log;
import dev.wisent.storage.DiskSpace;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Why this node does not follow the log: its disk is full, say. A log that fails is started again
 * and again, and for a moment each time it looks as if all were well; so it counts as mended only
 * when something was applied. One that could not be written to, or waited for space, counts as
 * mended when it is started: entries that it has may still be applied before. Thread-safe.
 */
final class LogFaults {
  private static final long AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Clock clock;
  private volatile Fault fault;
  private long diedNanos; // guarded by this
  private boolean died; // guarded by this
  private boolean roomAwaited; // guarded by this

  /**
   * @param full whether a full disk is the reason
   * @param stopped whether the log takes no more entries before it is started again
   */
  private record Fault(String reason, boolean full, boolean stopped) {}

  LogFaults(Clock clock) {
    this.clock = clock;
  }

  void cannotApply(RuntimeException why) {
    fault = fault("cannot apply the log: ", why, false);
  }

  void cannotAppend(Throwable why) {
    fault = fault("cannot write to the log: ", why, true);
  }

  /** A server is no good any more; null if there is none. */
  void ended(RatisSession server, LogApplier store) {
    if (server == null) {
      return;
    }
    if (!server.isAlive()) {
      died();
    } else if (SessionHealth.hasUnsavedVote(server) && !store.hasRoom()) {
      // Its end gives back the space that was reserved for the log, enough for a vote but no more.
      fault = new Fault("cannot write its vote: the disk is full", true, true);
    }
  }

  /** The log could not be started. */
  IllegalStateException cannotStart(Exception why) {
    if (DiskSpace.isFull(why)) {
      fault = fault("cannot start the log: ", why, true);
    } else {
      died();
    }
    return new IllegalStateException("Cannot start the replicated log: " + why.getMessage(), why);
  }

  private static Fault fault(String action, Throwable why, boolean stopped) {
    boolean full = DiskSpace.isFull(why);
    return new Fault(action + (full ? "the disk is full. " : "") + why.getMessage(), full, stopped);
  }

  /** The log has ended by itself. Once may be an accident. */
  synchronized void died() {
    long now = clock.monotonicNanos();
    if (died && now - diedNanos < AGAIN_NANOS && fault == null) {
      fault = new Fault("the log ends whenever it is started", false, false);
    }
    died = true;
    diedNanos = now;
  }

  void applied() {
    Fault current = fault;
    if (current != null && !current.stopped) {
      fault = null;
    }
  }

  /** Whether a log that has ended can be written to again. */
  boolean mayStart(MetadataFiles metadata, LogApplier store, Log log) {
    try {
      if (!isFull() || store.hasRoom()) {
        metadata.check();
        return true;
      }
    } catch (IOException e) {
      fault = fault("cannot write its vote: ", e, true);
    }
    awaitRoom(log);
    return false;
  }

  /** The log is not started before it can be written to; says so once. */
  synchronized void awaitRoom(Log log) {
    if (!roomAwaited) {
      roomAwaited = true;
      log.warn(
          7_100_012,
          "The replicated log waits until the disk can be written to",
          "reason",
          current().orElse(""));
    }
  }

  /** The log was started, and there was space for it. */
  synchronized void started() {
    roomAwaited = false;
    Fault current = fault;
    if (current != null && (current.full || current.stopped)) {
      fault = null;
    }
  }

  /** Whether the log ended because the disk is full. */
  boolean isFull() {
    Fault current = fault;
    return current != null && current.full;
  }

  Optional<String> current() {
    return Optional.ofNullable(fault).map(Fault::reason);
  }
}
