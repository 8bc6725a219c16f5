package dev.wisent.cluster.config.balancer;

import dev.wisent.sharding.balance.GrowingEnd;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Collections whose first or last chunk has just been split because it grew. That is a hint: what
 * gets lost with an election costs nothing but a slower shard. Thread-safe.
 */
public final class GrowingEnds {
  private static final int COLLECTIONS_MAX = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, GrowingEnd> ends = new HashMap<>(); // guarded by the lock
  private Runnable listener = () -> {};

  /** Sets what is called when there is a new hint. */
  void listener(Runnable called) {
    listener = called;
  }

  /** Notes a split. */
  public void split(String namespace, GrowingEnd end) {
    lock.lock();
    try {
      if (ends.size() < COLLECTIONS_MAX) {
        ends.put(namespace, end);
      }
    } finally {
      lock.unlock();
    }
    listener.run();
  }

  /** All hints; they are gone then. */
  Map<String, GrowingEnd> take() {
    lock.lock();
    try {
      var taken = Map.copyOf(ends);
      ends.clear();
      return taken;
    } finally {
      lock.unlock();
    }
  }
}
