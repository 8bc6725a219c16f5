package dev.wisent.cluster.shard.range;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Pauses of a loop, which end with it. Thread-safe. */
final class Pause {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private boolean over; // guarded by lock

  /** Waits for a time, or until there are no more pauses. */
  void await(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (!over && left > 0) {
        left = ended.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends the pause under way, and all later ones at once. */
  void end() {
    lock.lock();
    try {
      over = true;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
