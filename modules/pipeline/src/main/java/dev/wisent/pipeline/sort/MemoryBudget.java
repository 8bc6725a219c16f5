package dev.wisent.pipeline.sort;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all sorts, groups, tables and transactions of a node may take together, so that
 * many of them at the same time do not take the whole heap. Thread-safe.
 */
public final class MemoryBudget {
  /** A holder that needs less than this part of the memory always gets it. */
  private static final int SMALL_PARTS = 16;

  private final long bytesMax;
  private final AtomicLong taken = new AtomicLong();

  public MemoryBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** A part of the heap: what is gathered is copied now and then, and others need room too. */
  public static MemoryBudget ofHeap() {
    return new MemoryBudget(Runtime.getRuntime().maxMemory() / 4);
  }

  static MemoryBudget unlimited() {
    return new MemoryBudget(Long.MAX_VALUE / 2);
  }

  public long bytesMax() {
    return bytesMax;
  }

  /** How much one holder has. */
  public long taken() {
    return taken.get();
  }

  /** What each holder may have, however little there is. */
  public long small() {
    return bytesMax / SMALL_PARTS;
  }

  /** Takes so much if it is there. */
  public boolean take(long bytes) {
    while (true) {
      long before = taken.get();
      if (before + bytes > bytesMax) {
        return false;
      }
      if (taken.compareAndSet(before, before + bytes)) {
        return true;
      }
    }
  }

  /** Takes so much, or, given a negative number, gives it back. */
  public void add(long bytes) {
    taken.addAndGet(bytes);
  }
}
