package dev.wisent.database.collection;

import java.util.concurrent.atomic.LongAdder;

/** How often queries have gone over a whole collection since it was opened. Thread-safe. */
public final class ScanCounts {
  private final LongAdder ended = new LongAdder();
  private final LongAdder tailing = new LongAdder();

  /** Notes a scan. */
  public void scanned(boolean tailable) {
    (tailable ? tailing : ended).increment();
  }

  public long total() {
    return ended.sum() + tailing.sum();
  }

  public long nonTailable() {
    return ended.sum();
  }
}
