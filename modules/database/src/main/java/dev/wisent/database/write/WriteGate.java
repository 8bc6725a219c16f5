package dev.wisent.database.write;

import dev.wisent.database.OperationContext;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Lets writes through unless {@code fsync} has locked them out. Every write passes it; locking waits
 * for those inside. Thread-safe: the lock may be released by another thread than took it.
 */
public final class WriteGate {
  private final ReentrantReadWriteLock inside = new ReentrantReadWriteLock(true);
  private final ReentrantLock state = new ReentrantLock();
  private final Condition opened = state.newCondition();
  private volatile int locks; // written under state

  void enter(OperationContext operation) {
    while (true) {
      if (locks > 0) {
        awaitOpen(operation);
      }
      inside.readLock().lock();
      if (locks == 0) {
        return;
      }
      inside.readLock().unlock();
    }
  }

  void leave() {
    inside.readLock().unlock();
  }

  private void awaitOpen(OperationContext operation) {
    state.lock();
    try {
      while (locks > 0) {
        operation.checkNow();
        boolean signalled = opened.await(100, TimeUnit.MILLISECONDS);
        if (signalled) {
          operation.checkInterrupt();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      state.unlock();
    }
  }

  /** Keeps new writes out and waits for those under way; returns how many locks there are now. */
  public int lock() {
    state.lock();
    try {
      locks++;
    } finally {
      state.unlock();
    }
    inside.writeLock().lock();
    inside.writeLock().unlock();
    return locks;
  }

  /** Takes one lock back; returns how many are left, or -1 if there was none. */
  public int unlock() {
    state.lock();
    try {
      if (locks == 0) {
        return -1;
      }
      locks--;
      opened.signalAll();
      return locks;
    } finally {
      state.unlock();
    }
  }

  public int lockCount() {
    return locks;
  }
}
