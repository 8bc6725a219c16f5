package dev.wisent.database.changestream;

import dev.wisent.bson.RawDocument;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The newest entries of the oplog in memory, without a gap, bounded by their bytes and their
 * number. One thread at a time appends; any number of threads read, without a lock. A reader that
 * an eviction has overtaken finds nothing in its place, and has to look elsewhere.
 */
final class TailRing {
  private final AtomicReferenceArray<TailEntry> slots;
  private final int mask;
  private final long bytesMax;
  private long bytes; // of the appending thread

  /** The sequence of the oldest entry. */
  private volatile long first;

  /** The sequence that the next entry gets. */
  private volatile long next;

  /** The timestamp of the newest entry, be it here or from before a restart. */
  private volatile long newest;

  /** All entries that are later than this timestamp are here, or will be. */
  private volatile long coveredAfter = -1;

  /**
   * @param entriesMax a power of two
   */
  TailRing(int entriesMax, long bytesMax) {
    if (Integer.bitCount(entriesMax) != 1) {
      throw new IllegalArgumentException(entriesMax + " is not a power of two");
    }
    this.slots = new AtomicReferenceArray<>(entriesMax);
    this.mask = entriesMax - 1;
    this.bytesMax = bytesMax;
  }

  long next() {
    return next;
  }

  /** The timestamp of the newest entry that has come, or was there before; 0 for none. */
  long newest() {
    return newest;
  }

  /**
   * Forgets everything and begins anew behind a timestamp; -1, which is later than all, for never.
   * Readers at the end of the old entries do not take the new ones for those that follow.
   */
  void restart(long after) {
    coveredAfter = after;
    newest = after == -1 ? 0 : after;
    for (long i = first; i < next; i++) {
      slots.set((int) i & mask, null);
    }
    bytes = 0;
    // A sequence that no entry has.
    long restarted = next + 1;
    next = restarted;
    first = restarted;
  }

  /** Adds the entry that follows all others; the oldest go if there is too much. */
  TailEntry append(long timestamp, RawDocument document) {
    long sequence = next;
    TailEntry entry = TailEntry.of(sequence, timestamp, document);
    while (first < sequence && (bytes + entry.bytes() > bytesMax || sequence - first > mask)) {
      evictOldest();
    }
    slots.set((int) sequence & mask, entry);
    bytes += entry.bytes();
    next = sequence + 1;
    newest = timestamp;
    return entry;
  }

  private void evictOldest() {
    long oldest = first;
    TailEntry entry = slots.get((int) oldest & mask);
    // First, so that a reader which has not found the entry learns that it was here.
    coveredAfter = entry.timestamp();
    slots.set((int) oldest & mask, null);
    bytes -= entry.bytes();
    first = oldest + 1;
  }

  /** The entry in a place; null if it is not there yet, or no longer. */
  TailEntry get(long sequence) {
    TailEntry entry = slots.get((int) sequence & mask);
    return entry != null && entry.sequence() == sequence ? entry : null;
  }

  /**
   * The sequence of the first entry that is later than a timestamp, or that it will have; -1 if
   * some that are later may be gone.
   */
  long sequenceAfter(long timestamp) {
    if (!covers(timestamp)) {
      return -1;
    }
    long low = first;
    long end = next;
    long high = end;
    while (low < high) {
      long middle = (low + high) >>> 1;
      TailEntry entry = get(middle);
      if (entry == null || Long.compareUnsigned(entry.timestamp(), timestamp) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    // Last: what was evicted meanwhile was here, and may be what was looked for.
    return covers(timestamp) && first <= end ? low : -1;
  }

  private boolean covers(long timestamp) {
    return Long.compareUnsigned(timestamp, coveredAfter) >= 0;
  }
}
