package dev.wisent.cluster.coordinator;

import dev.wisent.operation.OperationContext;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Which databases and collections coordinators are working on. Thread-safe. */
final class ResourceLocks {
  private static final int EXCLUSIVE = -1;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition released = lock.newCondition();

  /** How many share a name, or {@link #EXCLUSIVE}; guarded by the lock. */
  private final Map<String, Integer> held = new HashMap<>();

  /** Takes all of the locks at once, when they are free. */
  void acquire(Set<ResourceLock> wanted, OperationContext operation) {
    operation.await(
        nanos -> {
          lock.lock();
          try {
            long left = nanos;
            boolean taken = tryTake(wanted);
            while (!taken && left > 0) {
              left = released.awaitNanos(left);
              taken = tryTake(wanted);
            }
            return taken;
          } finally {
            lock.unlock();
          }
        });
  }

  private boolean tryTake(Set<ResourceLock> wanted) {
    for (ResourceLock each : wanted) {
      int holders = held.getOrDefault(each.name(), 0);
      if (holders == EXCLUSIVE || (each.exclusive() && holders > 0)) {
        return false;
      }
    }
    for (ResourceLock each : wanted) {
      held.merge(each.name(), each.exclusive() ? EXCLUSIVE : 1, Integer::sum);
    }
    return true;
  }

  void release(Set<ResourceLock> taken) {
    lock.lock();
    try {
      for (ResourceLock each : taken) {
        held.computeIfPresent(
            each.name(),
            (name, holders) -> holders == EXCLUSIVE || holders == 1 ? null : holders - 1);
      }
      released.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
