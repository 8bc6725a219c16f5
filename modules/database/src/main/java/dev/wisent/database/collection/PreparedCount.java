package dev.wisent.database.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.operation.OperationContext;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** How many prepared transactions have changes of a collection. Thread-safe. */
public final class PreparedCount {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition none = lock.newCondition();
  private final AtomicInteger count = new AtomicInteger(); // changed under the lock

  public void begin() {
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

  boolean isNone() {
    return count.get() == 0;
  }

  /** Waits for their end, which neither lock nor term of the caller may delay. */
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
