package dev.wisent.storage;

import dev.wisent.storage.StorageException.Kind;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps native memory alive while it is used: every native call is made between {@link #enter()}
 * and {@link #exit()}, and {@link #drain()} returns when no thread is between them any more.
 *
 * <p>The count of users is spread over several cache lines by thread, so that readers on different
 * cores do not contend. A user counts itself first and looks at {@link #closed} second, the closer
 * does the opposite, so one of them always sees the other.
 */
final class UseGuard {
  private static final int STRIPES = 16;

  /**
   * Longs between the counters of two stripes: two cache lines, because they are fetched in pairs.
   */
  private static final int STRIDE = 16;

  private static final long DRAIN_POLL_NANOS = 100_000;

  private final String what;
  private final AtomicLongArray users = new AtomicLongArray((STRIPES + 1) * STRIDE);
  private volatile boolean closed;

  /** Why; written before {@link #closed}. */
  private Kind why = Kind.CLOSED;

  UseGuard(String what) {
    this.what = what;
  }

  /** Must be followed by {@link #exit()} on the same thread; throws when closed. */
  void enter() {
    int stripe = stripe();
    users.getAndIncrement(stripe);
    if (closed) {
      users.getAndDecrement(stripe);
      throw exception();
    }
  }

  /** As {@link #enter()}, but returns false when closed; then no {@link #exit()} must follow. */
  boolean tryEnter() {
    int stripe = stripe();
    users.getAndIncrement(stripe);
    if (closed) {
      users.getAndDecrement(stripe);
      return false;
    }
    return true;
  }

  void exit() {
    users.getAndDecrement(stripe());
  }

  boolean isClosed() {
    return closed;
  }

  /** Lets no thread in any more; {@link #drain()} waits for those inside. */
  void shut(Kind reason) {
    why = reason;
    closed = true;
  }

  /** What those who come too late are told. */
  StorageException exception() {
    return why == Kind.REPLACED ? StorageException.replaced(what) : StorageException.closed(what);
  }

  /** Waits until all threads that were inside when the guard was shut have left. */
  void drain() {
    for (int stripe = 1; stripe <= STRIPES; stripe++) {
      while (users.get(stripe * STRIDE) != 0) {
        LockSupport.parkNanos(DRAIN_POLL_NANOS);
      }
    }
  }

  private static int stripe() {
    // The first stride stays empty: it shares a cache line with the array's header.
    return (((int) Thread.currentThread().threadId() & (STRIPES - 1)) + 1) * STRIDE;
  }
}
