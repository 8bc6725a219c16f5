package dev.wisent.storage;

import dev.wisent.storage.StorageException.Kind;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Group commit: one thread at a time syncs the log, for all threads whose write was complete when
 * it began; the others wait for it, or for the one after.
 *
 * <p>A position is handed out after a write is complete. The leader notes the newest position and
 * then syncs, so every position up to the noted one is covered by a sync that began after its
 * write. When it is done it wakes those whom it served and one more, who leads the next sync: the
 * rest sleep on, since waking a thread in vain costs as much as the write it waits for.
 */
final class GroupSync {
  private final Runnable syncLog;
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong syncs = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();

  /** In the order they came; guarded by {@link #lock}. */
  private final List<Waiter> waiters = new ArrayList<>();

  /** Guarded by {@link #lock}; it passes from leader to leader while a thread waits. */
  private boolean syncing;

  /** Written under {@link #lock}. */
  private volatile long durable;

  /** Written under {@link #lock}, once. */
  private volatile StorageException failure;

  /**
   * @param start the position up to which everything is durable already
   */
  GroupSync(Runnable syncLog, long start) {
    this.syncLog = syncLog;
    this.written.set(start);
    this.durable = start;
  }

  private enum Turn {
    WAIT,
    LEAD,
    /** The position is durable, or the log has failed. */
    OVER
  }

  /** A thread that sleeps until its turn comes. */
  private static final class Waiter {
    private final long position;
    private final Thread thread = Thread.currentThread();
    private volatile Turn turn = Turn.WAIT;

    Waiter(long position) {
      this.position = position;
    }

    Turn await() {
      boolean interrupted = false;
      while (turn == Turn.WAIT) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      return turn;
    }

    /** Returns when its turn has come or the time is over, and sometimes before. */
    void await(long timeoutNanos) {
      if (turn == Turn.WAIT) {
        LockSupport.parkNanos(this, timeoutNanos);
      }
    }

    void wake(Turn next) {
      turn = next;
      LockSupport.unpark(thread);
    }
  }

  /** Takes the position of a write that is complete. */
  long completed() {
    return written.incrementAndGet();
  }

  long newestPosition() {
    return written.get();
  }

  /** How many times the log was synced. */
  long syncCount() {
    return syncs.get();
  }

  boolean hasUnsynced() {
    return durable < written.get();
  }

  /** Returns when the position is durable, syncing if no other thread does. */
  void awaitDurable(long position) {
    Waiter waiter = enter(position);
    if (waiter != null) {
      take(waiter.await(), position);
    }
  }

  /**
   * As {@link #awaitDurable(long)}, but false when the time is over or the thread is interrupted
   * while another thread syncs.
   */
  boolean awaitDurable(long position, long timeoutNanos) throws InterruptedException {
    Waiter waiter = enter(position);
    if (waiter == null) {
      return true;
    }
    waiter.await(timeoutNanos);
    if (leave(waiter)) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      return false;
    }
    take(waiter.turn, position);
    return true;
  }

  /** Syncs, or returns what to wait with for the thread that does; null if the wait is over. */
  private Waiter enter(long position) {
    if (durable >= position) {
      return null;
    }
    lock.lock();
    try {
      if (durable >= position) {
        return null;
      }
      checkHealthy();
      if (syncing) {
        Waiter waiter = new Waiter(position);
        waiters.add(waiter);
        return waiter;
      }
      syncing = true;
    } finally {
      lock.unlock();
    }
    lead();
    return null;
  }

  /** Gives up a wait; false if its turn has come. */
  private boolean leave(Waiter waiter) {
    lock.lock();
    try {
      return waiter.turn == Turn.WAIT && waiters.remove(waiter);
    } finally {
      lock.unlock();
    }
  }

  private void take(Turn turn, long position) {
    if (turn == Turn.LEAD) {
      lead();
    } else if (durable < position) {
      checkHealthy();
    }
  }

  void checkHealthy() {
    StorageException cause = failure;
    if (cause != null) {
      throw new StorageException(
          cause.kind(),
          "The log has failed and takes no more writes: " + cause.getMessage(),
          cause);
    }
  }

  /**
   * Stops all further acknowledgements: after a failed write or sync it is unknown what is on disk.
   */
  void fail(StorageException cause) {
    lock.lock();
    try {
      if (failure == null) {
        failure = cause;
      }
      waiters.forEach(waiter -> waiter.wake(Turn.OVER));
      waiters.clear();
    } finally {
      lock.unlock();
    }
  }

  Optional<StorageException> failure() {
    return Optional.ofNullable(failure);
  }

  /** Syncs for all threads that have written; the caller has made itself the only one to do so. */
  private void lead() {
    long target = -1;
    try {
      long newest = written.get();
      syncLog.run();
      syncs.incrementAndGet();
      target = newest;
    } catch (StorageException e) {
      fail(e);
      throw e;
    } catch (RuntimeException | Error e) {
      fail(new StorageException(Kind.IO, "Cannot sync the log: " + e, e));
      throw e;
    } finally {
      passOn(target);
    }
  }

  private void passOn(long target) {
    lock.lock();
    try {
      durable = Math.max(durable, target);
      for (Iterator<Waiter> rest = waiters.iterator(); rest.hasNext(); ) {
        Waiter waiter = rest.next();
        if (waiter.position <= durable) {
          rest.remove();
          waiter.wake(Turn.OVER);
        }
      }
      syncing = !waiters.isEmpty();
      if (syncing) {
        waiters.removeFirst().wake(Turn.LEAD);
      }
    } finally {
      lock.unlock();
    }
  }
}
