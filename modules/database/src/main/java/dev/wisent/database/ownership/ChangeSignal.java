package dev.wisent.database.ownership;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes those who wait for a change that is made in this process. */
final class ChangeSignal {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long signals; // guarded by the lock

  void signal() {
    lock.lock();
    try {
      signals++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a short time; what is waited for is looked at again afterwards. */
  void awaitChange(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long seen = signals;
      long left = nanos;
      while (signals == seen && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
