package dev.wisent.pipeline.sort;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory that all sorts, groups, tables and transactions of a node may take together, so that
 * many of them at the same time do not take the whole heap. Thread-safe.
 */
public final class MemoryBudget {
  /** A holder that needs less than this part of the memory gets it beyond the budget. */
  private static final int SMALL_PARTS = 16;

  /** A holder that needs less than this part always gets it. */
  private static final int TINY_PARTS = 1024;

  private final long bytesMax;
  private final AtomicLong taken = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private Object overdrawing; // guarded by the lock

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

  /** How much all holders have. */
  public long taken() {
    return taken.get();
  }

  /** What a holder may have when the budget is taken, so that large holders do not stop others. */
  public long small() {
    return bytesMax / SMALL_PARTS;
  }

  /**
   * Takes so much if it is there. What small holders have beyond the budget is bounded for all of
   * them: together they may have half of the budget once more.
   *
   * @param held what the holder has with it
   */
  public boolean take(long bytes, long held) {
    if (takeUpTo(bytesMax, bytes)
        || (held <= small() && takeUpTo(bytesMax + bytesMax / 2, bytes))) {
      return true;
    }
    if (held <= bytesMax / TINY_PARTS) {
      add(bytes);
      return true;
    }
    return false;
  }

  private boolean takeUpTo(long limit, long bytes) {
    while (true) {
      long before = taken.get();
      if (before + bytes > limit) {
        return false;
      }
      if (taken.compareAndSet(before, before + bytes)) {
        return true;
      }
    }
  }

  /**
   * Lets one holder at a time have more than there is, so that what cannot go on with less comes to
   * its end; waits for a while if another one has more.
   *
   * @param nanosMax how long to wait
   * @return whether the holder may
   */
  boolean overdraw(Object holder, long nanosMax) throws InterruptedException {
    lock.lock();
    try {
      long left = nanosMax;
      while (overdrawing != null && overdrawing != holder && left > 0) {
        left = ended.awaitNanos(left);
      }
      if (overdrawing == null) {
        overdrawing = holder;
      }
      return overdrawing == holder;
    } finally {
      lock.unlock();
    }
  }

  /** Nothing happens where another holder has more than there is, or none. */
  void endOverdraft(Object holder) {
    lock.lock();
    try {
      if (overdrawing == holder) {
        overdrawing = null;
        ended.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes so much, or, given a negative number, gives it back. */
  public void add(long bytes) {
    taken.addAndGet(bytes);
  }
}
