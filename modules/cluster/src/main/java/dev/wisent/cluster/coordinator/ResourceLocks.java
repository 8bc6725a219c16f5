package dev.wisent.cluster.coordinator;

import dev.wisent.operation.OperationContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which databases and collections coordinators are working on. A claim that waits goes before later
 * ones that it conflicts with: what changes a collection is not held up by migrations that begin
 * one after the other. Thread-safe.
 */
final class ResourceLocks {
  private static final int EXCLUSIVE = -1;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition released = lock.newCondition();

  /** How many share a name, or {@link #EXCLUSIVE}; guarded by the lock. */
  private final Map<String, Integer> held = new HashMap<>();

  /** Those that wait, in the order in which they came; guarded by the lock. */
  private final List<Claim> waiting = new ArrayList<>();

  /** The locks of one run. Two of the same locks are not one. */
  private static final class Claim {
    private final Set<ResourceLock> locks;

    Claim(Set<ResourceLock> locks) {
      this.locks = locks;
    }

    boolean conflictsWith(Set<ResourceLock> others) {
      for (ResourceLock each : locks) {
        for (ResourceLock other : others) {
          if (each.name().equals(other.name()) && (each.exclusive() || other.exclusive())) {
            return true;
          }
        }
      }
      return false;
    }
  }

  /** Takes all of the locks at once, when they are free and no earlier claim waits for them. */
  void acquire(Set<ResourceLock> wanted, OperationContext operation) {
    var claim = new Claim(wanted);
    enqueue(claim);
    try {
      operation.await(
          nanos -> {
            lock.lock();
            try {
              long left = nanos;
              boolean taken = tryTake(claim);
              while (!taken && left > 0) {
                left = released.awaitNanos(left);
                taken = tryTake(claim);
              }
              return taken;
            } finally {
              lock.unlock();
            }
          });
    } finally {
      leave(claim);
    }
  }

  private void enqueue(Claim claim) {
    lock.lock();
    try {
      waiting.add(claim);
    } finally {
      lock.unlock();
    }
  }

  private void leave(Claim claim) {
    lock.lock();
    try {
      waiting.remove(claim);
      released.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many claims wait. */
  int waitingClaims() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  private boolean tryTake(Claim claim) {
    for (Claim earlier : waiting) {
      if (earlier == claim) {
        break;
      }
      if (earlier.conflictsWith(claim.locks)) {
        return false;
      }
    }
    for (ResourceLock each : claim.locks) {
      int holders = held.getOrDefault(each.name(), 0);
      if (holders == EXCLUSIVE || (each.exclusive() && holders > 0)) {
        return false;
      }
    }
    for (ResourceLock each : claim.locks) {
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
