package dev.wisent.database.changestream;

import dev.wisent.bson.RawDocument;
import java.util.concurrent.atomic.AtomicBoolean;

/** One stream's place in the oplog: in the ring, or behind it in the store. */
final class SharedTailSource implements OplogSource {
  private final SharedTail tail;
  private final StreamScope scope;

  /** Entries up to this timestamp are passed. */
  private long after;

  /** Whether the entry of that timestamp was passed here, and is not just before the start. */
  private boolean passed;

  /** The next place in the ring; of no meaning while the store is read. */
  private long sequence;

  /** Reads the store; null in the ring. */
  private OplogSource stored;

  private boolean closed;

  /** The time to pass that it was told last. */
  private long awaited;

  /** Whether it was woken and has not looked since. */
  private final AtomicBoolean woken = new AtomicBoolean();

  SharedTailSource(SharedTail tail, long start, StreamScope scope) {
    this.tail = tail;
    this.scope = scope;
    this.after = start == 0 ? 0 : start - 1;
    if (!enterRing()) {
      stored = tail.storedAfter(after);
    }
  }

  StreamScope scope() {
    return scope;
  }

  /** The place in the ring that it waits for; -1 while the store is read, where it need not. */
  long sequence() {
    return stored == null ? sequence : -1;
  }

  /** Goes on in the ring if that has all entries that were not passed. */
  private boolean enterRing() {
    long found = tail.ring().sequenceAfter(after);
    if (found < 0) {
      return false;
    }
    sequence = found;
    if (stored != null) {
      stored.close();
      stored = null;
    }
    return true;
  }

  @Override
  public RawDocument next() {
    boolean filled = false;
    while (true) {
      if (stored != null && !enterRing()) {
        RawDocument entry = stored.next();
        if (entry != null) {
          passed(stored.timestamp());
          return entry;
        }
        tail.fill();
        if (!enterRing()) {
          return null;
        }
      }
      RawDocument entry = nextInRing();
      if (entry != null) {
        return entry;
      }
      if (stored == null) {
        // Once: what is left out is without bound, and the caller has to look at its time.
        if (filled) {
          return null;
        }
        filled = tail.fill();
        // Another stream may have filled it since this one was at the end.
        if (!filled && tail.ring().next() == sequence) {
          return null;
        }
      }
    }
  }

  /** Null at the end of the ring, and when it has lost the place: then the store is opened. */
  private RawDocument nextInRing() {
    while (true) {
      long end = tail.ring().next();
      TailEntry entry = tail.ring().get(sequence);
      if (entry == null) {
        if (sequence < end) {
          stored = tail.storedAfter(after);
        }
        return null;
      }
      sequence++;
      if (Long.compareUnsigned(entry.timestamp(), after) > 0) {
        passed(entry.timestamp());
        if (entry.concerns(scope)) {
          return entry.document();
        }
      }
    }
  }

  private void passed(long timestamp) {
    after = timestamp;
    passed = true;
  }

  @Override
  public long timestamp() {
    return passed ? after : 0;
  }

  @Override
  public long passed() {
    return after;
  }

  @Override
  public RawDocument at(long timestamp) {
    try (OplogSource there = tail.storedAfter(timestamp - 1)) {
      return there.at(timestamp);
    }
  }

  @Override
  public long awaited() {
    awaited = tail.awaited();
    return awaited;
  }

  /** Whether it was not told yet what the time to pass is. */
  boolean isAwaitedAnew() {
    return scope.merged() && tail.awaited() != awaited;
  }

  @Override
  public void await(long timeoutMillis) throws InterruptedException {
    if (stored == null) {
      tail.await(this, timeoutMillis);
    } else {
      stored.await(timeoutMillis);
    }
  }

  @Override
  public void wake() {
    woken.set(true);
    tail.wake(this);
  }

  boolean isWoken() {
    return woken.get();
  }

  /** Whether it was woken; from now on it is not. */
  boolean takeWake() {
    return woken.getAndSet(false);
  }

  @Override
  public void detach() {
    if (stored != null) {
      stored.detach();
    }
  }

  @Override
  public void close() {
    if (stored != null) {
      stored.close();
    }
    if (!closed) {
      closed = true;
      tail.closed();
    }
  }
}
