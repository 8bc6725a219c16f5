package dev.wisent.database.collection;

import java.util.concurrent.locks.StampedLock;
import java.util.function.BooleanSupplier;

/**
 * Versions of documents by number, as many as fit some memory; those that were not asked for since
 * the hand came by go first. Thread-safe, and readers never wait.
 *
 * <p>Keys, versions and documents lie in arrays: to find a document takes two dependent reads of
 * main memory, where a map of objects takes five, and that is most of what a cached read costs.
 */
final class RecordTable {
  /** The key that no document has. */
  static final long NONE = 0;

  /** What an entry takes beside its bytes: an array's header, and its share of the slots. */
  private static final long ENTRY_OVERHEAD_BYTES = 64;

  private static final int SEGMENT_BITS_MAX = 6;
  private static final long SEGMENT_BYTES_MIN = 1 << 20;
  private static final int SLOTS_MIN = 64;

  private final Segment[] segments;
  private final int shift;

  RecordTable(long bytesMax) {
    int bits = 0;
    while (bits < SEGMENT_BITS_MAX && bytesMax >> (bits + 1) >= SEGMENT_BYTES_MIN) {
      bits++;
    }
    segments = new Segment[1 << bits];
    shift = Long.SIZE - bits;
    for (int i = 0; i < segments.length; i++) {
      segments[i] = new Segment(bytesMax >> bits);
    }
  }

  /**
   * The document under a key if its version is not newer than asked for; null otherwise, or if a
   * writer changes something nearby.
   */
  byte[] find(long key, long asOf) {
    long hash = hash(key);
    return segment(hash).find(key, hash, asOf);
  }

  void put(long key, long since, byte[] document) {
    long hash = hash(key);
    segment(hash).put(key, hash, since, document, () -> true, true);
  }

  /** Adds a document that is not there, if that is still right when nothing else can change it. */
  void add(long key, long since, byte[] document, BooleanSupplier isRight) {
    long hash = hash(key);
    segment(hash).put(key, hash, since, document, isRight, false);
  }

  void remove(long key) {
    if (key != NONE) {
      long hash = hash(key);
      segment(hash).remove(key, hash);
    }
  }

  private static long hash(long key) {
    long mixed = key * 0x9E3779B97F4A7C15L;
    return (mixed ^ (mixed >>> 32)) * 0xBF58476D1CE4E5B9L;
  }

  private Segment segment(long hash) {
    return segments.length == 1 ? segments[0] : segments[(int) (hash >>> shift)];
  }

  /** The arrays of a segment, replaced by larger ones when they are full. Probed linearly. */
  private static final class Slots {
    final long[] keys;
    final long[] since;
    final byte[][] documents;
    final boolean[] used;
    final int mask;

    Slots(int count) {
      keys = new long[count];
      since = new long[count];
      documents = new byte[count][];
      used = new boolean[count];
      mask = count - 1;
    }

    /** The slot of a key, or the empty one where it would be put. */
    int slot(long key, long hash) {
      int slot = (int) hash & mask;
      // A reader beside a writer may see anything, but must come to an end.
      for (int i = 0; i <= mask && keys[slot] != key && keys[slot] != NONE; i++) {
        slot = (slot + 1) & mask;
      }
      return slot;
    }

    void set(int slot, long key, long version, byte[] document) {
      keys[slot] = key;
      since[slot] = version;
      documents[slot] = document;
    }

    /** Empties a slot and moves those behind it that were pushed there. */
    void clear(int cleared) {
      int hole = cleared;
      int slot = (hole + 1) & mask;
      while (keys[slot] != NONE) {
        int home = (int) hash(keys[slot]) & mask;
        if (((slot - home) & mask) >= ((slot - hole) & mask)) {
          set(hole, keys[slot], since[slot], documents[slot]);
          used[hole] = used[slot];
          hole = slot;
        }
        slot = (slot + 1) & mask;
      }
      set(hole, NONE, 0, null);
      used[hole] = false;
    }
  }

  private static final class Segment {
    private final StampedLock lock = new StampedLock();
    private final long bytesMax;
    private volatile Slots slots = new Slots(SLOTS_MIN);

    /** Guarded by the lock, like what follows. */
    private long bytes;

    private int count;
    private int hand;

    Segment(long bytesMax) {
      this.bytesMax = bytesMax;
    }

    byte[] find(long key, long hash, long asOf) {
      long stamp = lock.tryOptimisticRead();
      if (stamp == 0) {
        return null;
      }
      Slots now = slots;
      int slot = now.slot(key, hash);
      byte[] document = now.documents[slot];
      boolean found = now.keys[slot] == key && now.since[slot] <= asOf;
      if (!found || !lock.validate(stamp)) {
        return null;
      }
      if (!now.used[slot]) {
        now.used[slot] = true;
      }
      return document;
    }

    void put(
        long key,
        long hash,
        long since,
        byte[] document,
        BooleanSupplier isRight,
        boolean overExisting) {
      long stamp = lock.writeLock();
      try {
        int slot = slots.slot(key, hash);
        boolean exists = slots.keys[slot] == key;
        if ((exists && !overExisting) || !isRight.getAsBoolean()) {
          return;
        }
        bytes += cost(document) - (exists ? cost(slots.documents[slot]) : 0);
        slots.set(slot, key, since, document);
        if (!exists) {
          count++;
          growIfFull();
        }
        while (bytes > bytesMax) {
          evict();
        }
      } finally {
        lock.unlockWrite(stamp);
      }
    }

    void remove(long key, long hash) {
      long stamp = lock.writeLock();
      try {
        int slot = slots.slot(key, hash);
        if (slots.keys[slot] == key) {
          clear(slot);
        }
      } finally {
        lock.unlockWrite(stamp);
      }
    }

    private void clear(int slot) {
      bytes -= cost(slots.documents[slot]);
      count--;
      slots.clear(slot);
    }

    private void growIfFull() {
      Slots old = slots;
      if (count * 4L < old.keys.length * 3L) {
        return;
      }
      var larger = new Slots(2 * old.keys.length);
      for (int i = 0; i < old.keys.length; i++) {
        if (old.keys[i] != NONE) {
          int slot = larger.slot(old.keys[i], hash(old.keys[i]));
          larger.set(slot, old.keys[i], old.since[i], old.documents[i]);
          larger.used[slot] = old.used[i];
        }
      }
      slots = larger;
      hand = 0;
    }

    /** Removes one entry; the hand stays, for another one may have moved into the slot. */
    private void evict() {
      while (true) {
        hand &= slots.mask;
        if (slots.keys[hand] != NONE && !slots.used[hand]) {
          clear(hand);
          return;
        }
        slots.used[hand] = false;
        hand++;
      }
    }

    private static long cost(byte[] document) {
      return ENTRY_OVERHEAD_BYTES + document.length;
    }
  }
}
