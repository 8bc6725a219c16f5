package dev.wisent.database.changestream;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** An oplog in memory that grows, and counts how often its entries are read. Thread-safe. */
final class MemoryOplog implements SharedTail.Growth {
  private final ConcurrentSkipListMap<Long, RawDocument> entries = new ConcurrentSkipListMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition grown = lock.newCondition();
  private final AtomicLong reads = new AtomicLong();
  private long version; // guarded by lock
  private long longestWaitMillis; // guarded by lock

  /** Adds an insert of a document into a collection. */
  void insert(long timestamp, String namespace) {
    append(
        timestamp,
        new BsonBuilder()
            .appendString("op", "i")
            .appendString("ns", namespace)
            .appendTimestamp("ts", timestamp)
            .toDocument());
  }

  void append(long timestamp, RawDocument entry) {
    entries.put(timestamp, entry);
    wake();
  }

  @Override
  public void wake() {
    lock.lock();
    try {
      version++;
      grown.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private volatile long awaited;

  /** Has merged streams tell when they have passed a time. */
  void await(long time) {
    awaited = time;
    wake();
  }

  @Override
  public long awaited() {
    return awaited;
  }

  /** Removes all entries up to a timestamp. */
  void trim(long timestamp) {
    entries.headMap(timestamp, true).clear();
  }

  long newest() {
    Map.Entry<Long, RawDocument> last = entries.lastEntry();
    return last == null ? 0 : last.getKey();
  }

  long reads() {
    return reads.get();
  }

  /** The longest time that a stream was ready to wait. */
  long longestWaitMillis() {
    lock.lock();
    try {
      return longestWaitMillis;
    } finally {
      lock.unlock();
    }
  }

  SharedTail tail(TailRing ring) {
    return new SharedTail(Scan::new, this::newest, this, ring);
  }

  @Override
  public long version() {
    lock.lock();
    try {
      return version;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void awaitChange(long seenVersion, long timeoutMillis) throws InterruptedException {
    lock.lock();
    try {
      longestWaitMillis = Math.max(longestWaitMillis, timeoutMillis);
      long left = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
      while (version == seenVersion && left > 0) {
        left = grown.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Reads the entries one by one. */
  private final class Scan implements OplogSource {
    private long place;
    private boolean read;

    Scan(long start) {
      this.place = start;
    }

    @Override
    public RawDocument next() {
      Map.Entry<Long, RawDocument> first = entries.firstEntry();
      if (first != null && first.getKey() > place && place > 1) {
        throw HistoryLost.ofStart();
      }
      Map.Entry<Long, RawDocument> entry =
          read ? entries.higherEntry(place) : entries.ceilingEntry(place);
      if (entry == null) {
        return null;
      }
      reads.incrementAndGet();
      place = entry.getKey();
      read = true;
      return entry.getValue();
    }

    @Override
    public long timestamp() {
      return read ? place : 0;
    }

    @Override
    public long passed() {
      return read ? place : place - 1;
    }

    @Override
    public RawDocument at(long timestamp) {
      return entries.get(timestamp);
    }

    @Override
    public void await(long timeoutMillis) throws InterruptedException {
      Map.Entry<Long, RawDocument> more =
          read ? entries.higherEntry(place) : entries.ceilingEntry(place);
      if (more == null) {
        awaitChange(version(), 1);
      }
    }

    @Override
    public void wake() {
      MemoryOplog.this.wake();
    }

    @Override
    public void detach() {}

    @Override
    public void close() {}
  }

  /** Whether an exception says that entries are gone. */
  static boolean isHistoryLost(CommandException e) {
    return e.code() == HistoryLost.ofStart().code();
  }
}
