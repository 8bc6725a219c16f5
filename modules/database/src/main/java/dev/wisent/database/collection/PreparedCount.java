package dev.wisent.database.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.operation.OperationContext;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many prepared transactions have changes of a collection, and whether a change of its
 * definition waits for their end: then no others are prepared. Thread-safe.
 */
public final class PreparedCount {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition none = lock.newCondition();
  private final AtomicInteger count = new AtomicInteger(); // changed under the lock
  private int waiting; // guarded by the lock

  /** Counts one more; false where a change of the definition waits. */
  public boolean tryBegin() {
    lock.lock();
    try {
      if (waiting > 0) {
        return false;
      }
      count.incrementAndGet();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Counts one that an earlier leader has prepared. */
  public void resume() {
    lock.lock();
    try {
      count.incrementAndGet();
    } finally {
      lock.unlock();
    }
  }

  public void end() {
    lock.lock();
    try {
      count.decrementAndGet();
      none.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Has a change of the definition run again after their end. The caller holds the collection's
   * exclusive lock and is about to change it as {@link CatalogChanges#exclusively} does.
   */
  public void requireNone() {
    if (count.get() != 0) {
      throw new UndecidedWritesException(this);
    }
  }

  /** Lets no more be prepared, until {@link #readmit}. */
  void refuse() {
    lock.lock();
    try {
      waiting++;
    } finally {
      lock.unlock();
    }
  }

  void readmit() {
    lock.lock();
    try {
      waiting--;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for their end, outside of everything that could delay it. */
  void awaitNone(WriteGate gate, OperationContext operation) {
    operation.await(
        nanos -> {
          if (!gate.isOpen()) {
            throw new CommandException(
                ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE, "operation was interrupted");
          }
          return awaitNone(nanos);
        });
  }

  /** Waits for their end; false when the time is over. */
  private boolean awaitNone(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (count.get() != 0 && left > 0) {
        left = none.awaitNanos(left);
      }
      return count.get() == 0;
    } finally {
      lock.unlock();
    }
  }
}
