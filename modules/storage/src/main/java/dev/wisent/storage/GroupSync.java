package dev.wisent.storage;

import dev.wisent.storage.StorageException.Kind;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Group commit: one thread at a time syncs the log, for everybody whose write was complete when it
 * began; the others wait for it, or for the one after.
 *
 * <p>A position is handed out after a write is complete. The leader notes the newest position and
 * then syncs, so every position up to the noted one is covered by a sync that began after its
 * write.
 */
final class GroupSync {
  private final Runnable syncLog;
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong syncs = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by {@link #lock}. */
  private boolean syncing;

  /** Written under {@link #lock}. */
  private volatile long durable;

  /** Written under {@link #lock}, once. */
  private volatile StorageException failure;

  GroupSync(Runnable syncLog) {
    this.syncLog = syncLog;
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

  /** Returns when the position is durable, syncing if nobody else does. */
  void awaitDurable(long position) {
    if (durable >= position) {
      return;
    }
    lock.lock();
    try {
      while (durable < position) {
        checkHealthy();
        if (syncing) {
          changed.awaitUninterruptibly();
        } else {
          lead();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  void checkHealthy() {
    StorageException cause = failure;
    if (cause != null) {
      throw new StorageException(
          cause.kind(),
          "The log has failed and takes no more writes until a restart: " + cause.getMessage(),
          cause);
    }
  }

  /**
   * Stops all further acknowledgements: after a failed write or sync nobody knows what is on disk.
   */
  void fail(StorageException cause) {
    lock.lock();
    try {
      if (failure == null) {
        failure = cause;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  Optional<StorageException> failure() {
    return Optional.ofNullable(failure);
  }

  /** Syncs outside of the lock, which is held before and after. */
  private void lead() {
    syncing = true;
    long target = -1;
    lock.unlock();
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
      lock.lock();
      syncing = false;
      durable = Math.max(durable, target);
      changed.signalAll();
    }
  }
}
