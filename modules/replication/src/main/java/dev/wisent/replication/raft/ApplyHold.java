package dev.wisent.replication.raft;

import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageException.Kind;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Keeps entries from being applied, so that the store stays as it is. Thread-safe. */
final class ApplyHold {
  private static final long LOOK_MILLIS = 100;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition released = lock.newCondition();
  private volatile boolean on; // written under lock

  void set(boolean hold) {
    lock.lock();
    try {
      on = hold;
      released.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isSet() {
    return on;
  }

  /**
   * Returns when entries may be applied.
   *
   * @throws StorageException CLOSED if it was stopped meanwhile
   */
  void awaitReleased(BooleanSupplier stopped) {
    if (!on) {
      return;
    }
    lock.lock();
    try {
      while (on) {
        if (stopped.getAsBoolean()) {
          throw new StorageException(Kind.CLOSED, "The log is closed");
        }
        released.awaitNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StorageException(Kind.CLOSED, "The log is closed", e);
    } finally {
      lock.unlock();
    }
  }
}
