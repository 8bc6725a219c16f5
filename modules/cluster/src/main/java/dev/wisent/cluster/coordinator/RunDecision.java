package dev.wisent.cluster.coordinator;

import dev.wisent.base.CommandException;
import java.util.concurrent.locks.ReentrantLock;

/** Whether a run is to be undone, or can be no longer: what comes first. Thread-safe. */
final class RunDecision {
  private final ReentrantLock lock = new ReentrantLock();

  /** Why it is to be undone; null for no reason. Guarded by the lock. */
  private CommandException aborted;

  /** Whether a phase has begun that cannot be undone. Guarded by the lock. */
  private boolean made;

  /** Has the run fail; false where it is too late for that. */
  boolean abort(CommandException reason) {
    lock.lock();
    try {
      if (!made) {
        aborted = reason;
      }
      return !made;
    } finally {
      lock.unlock();
    }
  }

  /** Null where it is not to be undone. */
  CommandException abortReason() {
    lock.lock();
    try {
      return aborted;
    } finally {
      lock.unlock();
    }
  }

  /** From now on the run cannot be undone; fails where it is to be. */
  void make() {
    lock.lock();
    try {
      if (aborted != null) {
        throw aborted;
      }
      made = true;
    } finally {
      lock.unlock();
    }
  }
}
