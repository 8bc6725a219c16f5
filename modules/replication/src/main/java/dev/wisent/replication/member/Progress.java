package dev.wisent.replication.member;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A counter of everything that a thread may wait for. Counting is cheap without waiters. */
final class Progress {
  private final AtomicLong count = new AtomicLong();
  private final AtomicInteger waiting = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition made = lock.newCondition();

  long count() {
    return count.get();
  }

  void made() {
    count.incrementAndGet();
    if (waiting.get() == 0) {
      return;
    }
    lock.lock();
    try {
      made.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the count differs from the one seen; false when the time is over. */
  boolean await(long seen, long timeoutMillis) throws InterruptedException {
    if (count.get() != seen) {
      return true;
    }
    lock.lock();
    waiting.incrementAndGet();
    try {
      long nanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
      while (count.get() == seen && nanos > 0) {
        nanos = made.awaitNanos(nanos);
      }
      return count.get() != seen;
    } finally {
      waiting.decrementAndGet();
      lock.unlock();
    }
  }
}
