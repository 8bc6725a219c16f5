package dev.wisent.database.gate;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.OperationContext;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Lets writes and changes of the catalog through unless {@code fsync} has locked them out. Locking
 * waits for those inside. Thread-safe: the lock may be released by another thread than took it.
 *
 * <p>Whoever is inside may enter again, also when the gate is being locked meanwhile: the one who
 * locks it waits for the outermost {@link #leave}.
 *
 * <p>On a member of a replica set the gate is open only while the member leads. A write is
 * evaluated and committed inside, so that all of it belongs to one term: closing ends the
 * operations inside, and it is opened again only when they have left.
 */
public final class WriteGate {
  private static final int CHECK_MILLIS = 100;

  private final ReentrantReadWriteLock inside = new ReentrantReadWriteLock(true);
  private final ReentrantLock state = new ReentrantLock();
  private final Condition opened = state.newCondition();
  private volatile int locks; // written under state

  /** Who is inside, by thread; null where the gate is never closed. */
  private final Map<Thread, OperationContext> operations;

  private volatile boolean open;

  private WriteGate(boolean replicated) {
    this.operations = replicated ? new ConcurrentHashMap<>() : null;
    this.open = !replicated;
  }

  /** For a standalone node, which is always its own leader. */
  public static WriteGate alwaysOpen() {
    return new WriteGate(false);
  }

  /** For a member of a replica set, which is not the leader yet. */
  public static WriteGate closed() {
    return new WriteGate(true);
  }

  /** To be followed by {@link #leave} on the same thread. */
  public void enter(OperationContext operation) {
    if (inside.getReadHoldCount() > 0) {
      inside.readLock().lock();
      return;
    }
    while (true) {
      if (locks > 0) {
        awaitOpen(operation);
      }
      operation.acquire(inside.readLock());
      if (locks == 0) {
        break;
      }
      inside.readLock().unlock();
    }
    if (operations != null) {
      checkIn(operation);
    }
  }

  /** The one who closes sees the operation, or the operation sees that it is closed. */
  private void checkIn(OperationContext operation) {
    operations.put(Thread.currentThread(), operation);
    try {
      if (operation.isKilled()) {
        // What it has evaluated in an earlier term must not be written in this one.
        operation.checkNow();
      }
      checkOpen();
    } catch (RuntimeException e) {
      leave();
      throw e;
    }
  }

  /** Whether this node accepts writes; {@code fsync} may lock them out all the same. */
  public boolean isOpen() {
    return open;
  }

  private void checkOpen() {
    if (!open) {
      throw new CommandException(ErrorCode.NOT_WRITABLE_PRIMARY, "not primary");
    }
  }

  public void leave() {
    if (operations != null && inside.getReadHoldCount() == 1) {
      operations.remove(Thread.currentThread());
    }
    inside.readLock().unlock();
  }

  /** Lets nobody in any more and ends the operations that are inside; does not wait for them. */
  public void close() {
    open = false;
    operations
        .values()
        .forEach(operation -> operation.kill(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE));
    state.lock();
    try {
      opened.signalAll();
    } finally {
      state.unlock();
    }
  }

  /** Waits until nobody is inside of a closed gate any more. */
  public void awaitEmpty() {
    inside.writeLock().lock();
    try {
      // To have it once is enough: nobody can come in.
    } finally {
      inside.writeLock().unlock();
    }
  }

  /** Lets writes in again; nobody is inside. */
  public void open() {
    open = true;
  }

  private void awaitOpen(OperationContext operation) {
    operation.startLockWait();
    state.lock();
    try {
      while (locks > 0) {
        operation.checkNow();
        checkOpen();
        opened.awaitNanos(TimeUnit.MILLISECONDS.toNanos(CHECK_MILLIS));
      }
    } catch (InterruptedException e) {
      throw operation.threadInterrupted();
    } finally {
      state.unlock();
      operation.endLockWait();
    }
  }

  /**
   * Keeps new writes out and waits for those under way, but not longer than told; returns how many
   * locks there are now.
   */
  public int lock(OperationContext operation, long timeoutMillis) {
    int count;
    state.lock();
    try {
      count = locks + 1;
      locks = count;
    } finally {
      state.unlock();
    }
    boolean empty = false;
    try {
      empty = awaitEmpty(operation, timeoutMillis);
    } finally {
      if (!empty) {
        unlock();
      }
    }
    if (!empty) {
      throw new CommandException(
          ErrorCode.LOCK_TIMEOUT,
          "Fsync lock timed out after " + timeoutMillis + " ms, waiting for writes to end");
    }
    return count;
  }

  /** Waits until nobody is inside; false if that took too long. */
  private boolean awaitEmpty(OperationContext operation, long timeoutMillis) {
    long deadlineNanos =
        operation.clock().monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    try {
      while (true) {
        long leftNanos = deadlineNanos - operation.clock().monotonicNanos();
        long waitNanos = Math.min(leftNanos, TimeUnit.MILLISECONDS.toNanos(CHECK_MILLIS));
        if (inside.writeLock().tryLock(Math.max(0, waitNanos), TimeUnit.NANOSECONDS)) {
          inside.writeLock().unlock();
          return true;
        }
        if (leftNanos <= 0) {
          return false;
        }
        operation.checkNow();
      }
    } catch (InterruptedException e) {
      throw operation.threadInterrupted();
    }
  }

  /** Takes one lock back; returns how many are left, or -1 if there was none. */
  public int unlock() {
    state.lock();
    try {
      if (locks == 0) {
        return -1;
      }
      int left = locks - 1;
      locks = left;
      opened.signalAll();
      return left;
    } finally {
      state.unlock();
    }
  }

  public int lockCount() {
    return locks;
  }
}
