package dev.wisent.database.collection;

import dev.wisent.operation.OperationContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Latches on what a write is about to change: records and unique keys. A writer never waits while
 * it holds a latch, so writers cannot block each other in a circle: it either gets a latch at once,
 * or lets go of all of its own (committing or starting over) and waits for the holder to finish.
 */
public final class LatchTable {
  private final ConcurrentHashMap<Latch, Holder> latches = new ConcurrentHashMap<>();

  /**
   * What can be latched. Keys of an index and records of a collection never collide: idents differ.
   */
  private record Latch(int ident, long recordId, byte[] key) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Latch that
          && ident == that.ident
          && recordId == that.recordId
          && Arrays.equals(key, that.key);
    }

    @Override
    public int hashCode() {
      return (31 * Long.hashCode(recordId) + Arrays.hashCode(key)) * 31 + ident;
    }
  }

  public Holder newHolder() {
    return new Holder();
  }

  /** How many latches are held at the moment. */
  public int size() {
    return latches.size();
  }

  /** The latch that was asked for is held. */
  public final class Conflict {
    private final Latch latch;
    private final Holder holder;

    private Conflict(Latch latch, Holder holder) {
      this.latch = latch;
      this.holder = holder;
    }

    /** Whether the one that asked has the latch already. */
    public boolean isWith(Holder asking) {
      return holder == asking;
    }

    /** Waits until the latch is free. The caller holds no latches itself. */
    public void await(OperationContext operation) {
      CountDownLatch signal;
      synchronized (holder) {
        // The holder removes its latches before it looks for waiters, so a wake-up is never lost.
        if (latches.get(latch) != holder) {
          return;
        }
        signal = holder.waitersSignal();
      }
      operation.await(nanos -> signal.await(nanos, TimeUnit.NANOSECONDS));
    }
  }

  /** Is told of a key of an index. */
  @FunctionalInterface
  public interface KeyConsumer {
    void accept(int ident, byte[] key);
  }

  /** The latches of one mutation, from evaluation to the end of its commit. One thread uses it. */
  public final class Holder implements AutoCloseable {
    private final List<Latch> held = new ArrayList<>(4);
    private CountDownLatch released; // guarded by this

    /** Latches a record; returns null, or what stands in the way. */
    public Conflict latchRecord(int ident, long recordId) {
      return acquire(new Latch(ident, recordId, null));
    }

    /** Latches a unique key; returns null, or what stands in the way. */
    public Conflict latchKey(int ident, byte[] key) {
      return acquire(new Latch(ident, 0, key));
    }

    private Conflict acquire(Latch latch) {
      Holder other = latches.putIfAbsent(latch, this);
      if (other == null) {
        held.add(latch);
        return null;
      }
      return new Conflict(latch, other);
    }

    /** Tells the unique keys that are latched. */
    public void keys(KeyConsumer consumer) {
      for (Latch latch : held) {
        if (latch.key() != null) {
          consumer.accept(latch.ident(), latch.key());
        }
      }
    }

    /** How many latches are held: a mark for {@link #releaseAfter}. */
    public int mark() {
      return held.size();
    }

    /** Gives back the latches taken since the mark. */
    public void releaseAfter(int mark) {
      for (int i = held.size() - 1; i >= mark; i--) {
        latches.remove(held.removeLast());
      }
      wakeWaiters();
    }

    /** Gives back the latches on records, and keeps those on keys. */
    public void releaseRecords() {
      held.removeIf(latch -> latch.key() == null && latches.remove(latch, this));
      wakeWaiters();
    }

    /** Gives back everything; the holder can be used again. */
    @Override
    public void close() {
      releaseAfter(0);
    }

    private CountDownLatch waitersSignal() {
      if (released == null) {
        released = new CountDownLatch(1);
      }
      return released;
    }

    private synchronized void wakeWaiters() {
      if (released != null) {
        released.countDown();
        released = null;
      }
    }
  }
}
