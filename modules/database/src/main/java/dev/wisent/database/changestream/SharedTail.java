package dev.wisent.database.changestream;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * The end of the oplog for all streams of a node: each new entry is read from the store once, and
 * wakes only streams that it may concern. The newest entries stay in a {@link TailRing}; a stream
 * that is further behind reads the store itself until it has caught up. Thread-safe.
 *
 * <p>No thread belongs to it. A stream that finds no entry fills the ring. Of the streams that
 * wait, one waits for the oplog to grow and fills the ring for all; the others wait for that one.
 */
public final class SharedTail {
  /** How many entries are kept at most, and how large they are together. */
  private static final int ENTRIES_MAX = 1 << 14;

  private static final long BYTES_MAX = 16L << 20;

  /** How much is read at a time, so that the reading stream soon goes on with its own work. */
  private static final long FILL_BYTES = 1L << 20;

  private final LongFunction<OplogSource> store;
  private final LongSupplier newest;
  private final Growth growth;
  private final TailRing ring;

  private final ReentrantLock filling = new ReentrantLock();
  private OplogSource filler; // guarded by filling; null while there is no stream
  private int streams; // guarded by filling

  private final ReentrantLock waiting = new ReentrantLock();
  private final Waiters waiters = new Waiters(); // guarded by waiting
  private final Map<SharedTailSource, Waiters.Waiter> followers = new HashMap<>(); // likewise
  private boolean led; // guarded by waiting: whether one of the streams waits for growth

  /** The time to pass for which merged streams were woken; changed by the holder of waiting. */
  private volatile long announced;

  /** Tells when the oplog has grown. */
  public interface Growth {
    /** A number that changes with every growth. */
    long version();

    /** Waits until the version is no longer the one seen, or the time is over. */
    void awaitChange(long seenVersion, long timeoutMillis) throws InterruptedException;

    /** Changes the version without a growth. */
    void wake();

    /**
     * The time that merged streams are to pass, as far as the oplog does, and tell so; 0 for none.
     * Changes the version when it changes.
     */
    default long awaited() {
      return 0;
    }
  }

  /**
   * @param store opens the stored oplog at a timestamp
   * @param newest the timestamp of the newest stored entry
   */
  public SharedTail(LongFunction<OplogSource> store, LongSupplier newest, Growth growth) {
    this(store, newest, growth, new TailRing(ENTRIES_MAX, BYTES_MAX));
  }

  SharedTail(LongFunction<OplogSource> store, LongSupplier newest, Growth growth, TailRing ring) {
    this.store = store;
    this.newest = newest;
    this.growth = growth;
    this.ring = ring;
  }

  /**
   * Opens the oplog for a stream, which may be given fewer entries than there are: those that do
   * not concern it are left out where that is known.
   *
   * @param start the first timestamp that counts
   */
  public OplogSource open(long start, StreamScope scope) {
    filling.lock();
    try {
      streams++;
      // After a long time without streams that read, most of what has come is for none of them.
      if (filler == null || fillLocked() >= FILL_BYTES) {
        restart();
      }
    } finally {
      filling.unlock();
    }
    return new SharedTailSource(this, start, scope);
  }

  void closed() {
    filling.lock();
    try {
      streams--;
      if (streams == 0 && filler != null) {
        filler.close();
        filler = null;
        ring.restart(-1);
      }
    } finally {
      filling.unlock();
    }
  }

  TailRing ring() {
    return ring;
  }

  /** The stored oplog behind a timestamp. */
  OplogSource storedAfter(long timestamp) {
    return store.apply(timestamp + 1);
  }

  /** Reads what has come since the last time; whether that was anything. */
  boolean fill() {
    filling.lock();
    try {
      return filler != null && fillLocked() > 0;
    } finally {
      filling.unlock();
    }
  }

  /** Returns how many bytes have come. */
  private long fillLocked() {
    List<TailEntry> more = new ArrayList<>();
    long bytes = 0;
    try {
      RawDocument entry;
      while (bytes < FILL_BYTES && (entry = filler.next()) != null) {
        TailEntry appended = ring.append(filler.timestamp(), entry);
        more.add(appended);
        bytes += appended.bytes();
      }
      filler.detach();
    } catch (CommandException e) {
      // The store was replaced, or entries are gone. Streams that need those find out themselves.
      restart();
    }
    wake(more);
    return bytes;
  }

  /** Goes on from the newest entry. */
  private void restart() {
    if (filler != null) {
      filler.close();
    }
    long after = newest.getAsLong();
    filler = storedAfter(after);
    ring.restart(after);
    waiting.lock();
    try {
      waiters.wakeAll();
    } finally {
      waiting.unlock();
    }
  }

  /** The time that merged streams are to pass. */
  long awaited() {
    return growth.awaited();
  }

  private void wake(List<TailEntry> entries) {
    long awaited = growth.awaited();
    if (entries.isEmpty() && awaited == announced) {
      return;
    }
    waiting.lock();
    try {
      entries.forEach(waiters::wake);
      if (awaited != announced && Long.compareUnsigned(ring.newest(), awaited) >= 0) {
        announced = awaited;
        waiters.wakeMerged();
      }
    } finally {
      waiting.unlock();
    }
  }

  /** Waits until there may be more behind a place in the ring, or the time is over; or less. */
  void await(SharedTailSource stream, long timeoutMillis) throws InterruptedException {
    long leftNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    waiting.lockInterruptibly();
    try {
      if (ring.next() != stream.sequence() || stream.takeWake() || stream.isAwaitedAnew()) {
        return;
      }
      if (led) {
        leftNanos = follow(stream, leftNanos);
        if (led || leftNanos <= 0) {
          return;
        }
      }
      led = true;
    } finally {
      waiting.unlock();
    }
    try {
      lead(stream, TimeUnit.NANOSECONDS.toMillis(leftNanos));
    } finally {
      waiting.lock();
      try {
        led = false;
        waiters.wakeOne();
      } finally {
        waiting.unlock();
      }
    }
  }

  /** Waits until there is no leader; returns 0 if the time is over or there may be more. */
  private long follow(SharedTailSource stream, long timeoutNanos) throws InterruptedException {
    long left = timeoutNanos;
    Waiters.Waiter waiter = waiters.add(stream.scope(), waiting.newCondition());
    followers.put(stream, waiter);
    try {
      while (led && left > 0 && !waiter.isWoken()) {
        left = waiter.condition().awaitNanos(left);
      }
      return waiter.isWoken() ? 0 : left;
    } finally {
      followers.remove(stream);
      waiters.remove(waiter);
      if (!led) {
        // This stream may have been woken to lead and not do so.
        waiters.wakeOne();
      }
    }
  }

  /** Ends the wait of a stream, which has been told so. */
  void wake(SharedTailSource stream) {
    waiting.lock();
    try {
      Waiters.Waiter waiter = followers.get(stream);
      if (waiter != null) {
        waiter.wake();
        return;
      }
    } finally {
      waiting.unlock();
    }
    growth.wake(); // It leads, or reads the store, or does not wait.
  }

  private void lead(SharedTailSource stream, long timeoutMillis) throws InterruptedException {
    // Before the ring is filled: what comes after that changes the version again.
    long version = growth.version();
    fill();
    if (ring.next() == stream.sequence() && !stream.isWoken() && !stream.isAwaitedAnew()) {
      growth.awaitChange(version, timeoutMillis);
      fill();
    }
  }
}
