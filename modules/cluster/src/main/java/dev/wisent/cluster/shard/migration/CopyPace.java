package dev.wisent.cluster.shard.migration;

import dev.wisent.operation.OperationContext;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The size of the batches of one copy, and the pauses between them: batches are small while clients
 * are slower than before, and grow otherwise. Used by one thread.
 */
public final class CopyPace {
  private static final int DOCUMENTS_MAX = 1000;
  private static final int BYTES_MAX = 4 << 20;

  /** With so small a batch clients that are slow already have less to wait for. */
  private static final int DOCUMENTS_MIN = 32;

  /** A pause ends soon when the copy does. */
  private static final long PART_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(20);

  private final ForegroundPace foreground;
  private int documentsMax = DOCUMENTS_MIN;

  public CopyPace(ForegroundPace foreground) {
    this.foreground = foreground;
  }

  /** How many documents the next batch may have. */
  public int documentsMax() {
    return documentsMax;
  }

  /** After how many bytes the next batch ends. */
  public long bytesMax() {
    return (long) BYTES_MAX * documentsMax / DOCUMENTS_MAX;
  }

  /**
   * Pauses after a batch of the copy.
   *
   * @param startNanos when the batch began
   * @param askedNanos the pause that a recipient asks for
   * @return the length of the pause in nanoseconds
   */
  public long afterBatch(OperationContext operation, long startNanos, long askedNanos) {
    long took = operation.clock().monotonicNanos() - startNanos;
    long asked = Math.min(askedNanos, ForegroundPace.PAUSE_NANOS_MAX);
    long pause = Math.max(asked, foreground.pauseNanos(took));
    documentsMax = pause > 0 ? DOCUMENTS_MIN : Math.min(DOCUMENTS_MAX, 2 * documentsMax);
    pause(operation, pause);
    return pause;
  }

  /** Pauses after a batch of changes, no longer than that took: they must become fewer. */
  public void afterChanges(OperationContext operation, long startNanos) {
    long took = operation.clock().monotonicNanos() - startNanos;
    pause(operation, Math.min(took, foreground.pauseNanos(took)));
  }

  private static void pause(OperationContext operation, long nanos) {
    long end = operation.clock().monotonicNanos() + nanos;
    for (long left = end - operation.clock().monotonicNanos();
        left > 0;
        left = end - operation.clock().monotonicNanos()) {
      operation.checkNow();
      LockSupport.parkNanos(Math.min(left, PART_NANOS_MAX));
    }
  }
}
