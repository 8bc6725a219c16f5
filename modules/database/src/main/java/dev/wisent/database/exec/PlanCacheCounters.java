package dev.wisent.database.exec;

import java.util.concurrent.atomic.LongAdder;

/** How often queries were spared a race of plans. Thread-safe. */
public final class PlanCacheCounters {
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder skipped = new LongAdder();
  private final LongAdder replanned = new LongAdder();

  void hit() {
    hits.increment();
  }

  void miss() {
    misses.increment();
  }

  void skip() {
    skipped.increment();
  }

  void replan() {
    replanned.increment();
  }

  /** Plans that were taken from the cache. */
  public long hits() {
    return hits.sum();
  }

  /** Queries whose plan could have been in the cache, and was not. */
  public long misses() {
    return misses.sum();
  }

  /** Queries whose plans are never cached. */
  public long skipped() {
    return skipped.sum();
  }

  /** Plans from the cache that turned out to be bad. */
  public long replanned() {
    return replanned.sum();
  }
}
