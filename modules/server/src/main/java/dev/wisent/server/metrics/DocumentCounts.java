package dev.wisent.server.metrics;

import java.util.concurrent.atomic.LongAdder;

/** How many documents commands have written and returned. Thread-safe. */
public final class DocumentCounts {
  private final LongAdder inserted = new LongAdder();
  private final LongAdder updated = new LongAdder();
  private final LongAdder deleted = new LongAdder();
  private final LongAdder returned = new LongAdder();

  public void addInserted(long more) {
    inserted.add(more);
  }

  public void addUpdated(long more) {
    updated.add(more);
  }

  public void addDeleted(long more) {
    deleted.add(more);
  }

  public void addReturned(long more) {
    returned.add(more);
  }

  public long inserted() {
    return inserted.sum();
  }

  public long updated() {
    return updated.sum();
  }

  public long deleted() {
    return deleted.sum();
  }

  public long returned() {
    return returned.sum();
  }
}
