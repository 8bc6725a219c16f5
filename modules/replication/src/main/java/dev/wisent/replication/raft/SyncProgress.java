package dev.wisent.replication.raft;

import dev.wisent.base.Clock;
import dev.wisent.replication.SyncReport;
import dev.wisent.replication.SyncReport.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Keeps count while a node gets everything from another one. Thread-safe. */
final class SyncProgress {
  /** How many attempts are remembered: they may go on failing for days. */
  private static final int ATTEMPTS_MAX = 10;

  private final Clock clock;

  /** All guarded by this. */
  private final List<Attempt> attempts = new ArrayList<>();

  private long startMillis;
  private long endMillis;
  private long failures;
  private String sourceId;
  private long attemptMillis;
  private long totalBytes;
  private long copiedBytes;

  SyncProgress(Clock clock) {
    this.clock = clock;
  }

  /** An attempt begins: the first one, or again after one that failed. */
  synchronized void begins(String source) {
    long now = clock.wallMillis();
    if (startMillis == 0 || endMillis != 0) {
      startMillis = now;
      endMillis = 0;
      failures = 0;
      attempts.clear();
    }
    sourceId = source;
    attemptMillis = now;
    totalBytes = 0;
    copiedBytes = 0;
  }

  synchronized void total(long bytes) {
    totalBytes = bytes;
  }

  synchronized void copied(long bytes) {
    copiedBytes += bytes;
  }

  /**
   * The attempt has ended.
   *
   * @param failure null if everything is here
   */
  synchronized void ends(Exception failure) {
    long now = clock.wallMillis();
    if (attempts.size() == ATTEMPTS_MAX) {
      attempts.removeFirst();
    }
    String status = failure == null ? "OK" : failure.toString();
    attempts.add(new Attempt(Math.max(0, now - attemptMillis), status, sourceId));
    if (failure == null) {
      endMillis = now;
    } else {
      failures++;
    }
  }

  /** Empty if this node has got nothing from others since it was started. */
  synchronized Optional<SyncReport> report() {
    return startMillis == 0
        ? Optional.empty()
        : Optional.of(
            new SyncReport(
                startMillis, endMillis, totalBytes, copiedBytes, failures, List.copyOf(attempts)));
  }
}
