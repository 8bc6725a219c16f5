package dev.wisent.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The index of the replicated log up to which readers may have seen changes, flushed or not. A
 * crash takes the store back to its last flush; the mark says how much of the log has to be applied
 * again before the store is as new as readers have seen it. Index 0 is stored as 1, and no index as
 * 0.
 *
 * <p>The death of the process does not undo a change of the mark. The disk has it about a journal
 * interval later, so that a write costs no sync: after a power failure the mark can be that much
 * too low, never too high.
 */
final class AppliedMark implements AutoCloseable {
  static final String FILE = "wisent.applied";

  private final MarkFile mark;
  private final Executor later;
  private final AtomicBoolean due = new AtomicBoolean();
  private boolean closed; // guarded by this

  private AppliedMark(MarkFile mark, int intervalMillis) {
    this.mark = mark;
    this.later = CompletableFuture.delayedExecutor(intervalMillis, TimeUnit.MILLISECONDS);
  }

  /** Opens the mark of a database, which exists. */
  static AppliedMark open(Path database, int intervalMillis) throws IOException {
    return new AppliedMark(MarkFile.open(database.resolve(FILE)), intervalMillis);
  }

  /** -1 if nothing was ever applied. */
  long index() {
    return mark.get() - 1;
  }

  /**
   * Readers are about to see changes up to this index. A lower one than before is of a log that is
   * applied again after a crash: readers had seen more. One thread at a time calls this.
   */
  void set(long index) {
    if (index > index()) {
      reset(index);
    }
  }

  /** The number is about another log from now on. */
  void reset(long index) {
    mark.set(index + 1);
    if (due.compareAndSet(false, true)) {
      later.execute(this::force);
    }
  }

  /** Brings the mark to the disk. */
  synchronized void force() {
    due.set(false);
    if (!closed) {
      mark.force();
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      mark.force();
      mark.close();
    }
  }
}
