package dev.wisent.database.collection;

import dev.wisent.storage.FixedView;
import dev.wisent.storage.ReadView;
import java.util.function.LongSupplier;

/**
 * The documents of a collection that this node has as a shard and does not own: how many there are
 * in the newest state, and from which state on there have been none. Reads of states without any
 * need not ask documents for their owner. Thread-safe.
 */
public final class Orphans {
  /** Of no state. */
  private static final long NEVER = Long.MAX_VALUE;

  private final LongSupplier sequence;
  private long count;

  /** Mutations that add some and are on their way to the store. */
  private long adding;

  /** A sequence of the store; the states from there on have none. */
  private volatile long noneSince;

  /**
   * @param count as stored
   * @param sequence that of the store, at any time
   */
  Orphans(long count, LongSupplier sequence) {
    this.sequence = sequence;
    this.count = count;
    this.noneSince = count == 0 ? 0 : NEVER;
  }

  /** How many there are. */
  public synchronized long count() {
    return count;
  }

  /** Whether there are none in a state that was taken before this call. */
  public boolean areNone(FixedView state) {
    // What lies over the store is not counted here.
    return state.cacheSequence() != ReadView.NOT_CACHED && state.sequence() >= noneSince;
  }

  /** A mutation that adds some is about to be stored, and in no state before. */
  synchronized void adding() {
    adding++;
    noneSince = NEVER;
  }

  /** A mutation is stored. */
  synchronized void stored(long more, boolean wasAdding) {
    count += more;
    adding -= wasAdding ? 1 : 0;
    // While some are added, the order of mutations is not known here.
    if (count == 0 && adding == 0 && noneSince == NEVER) {
      noneSince = sequence.getAsLong();
    }
  }

  /** A mutation for which {@link #adding} was called is given up; the log may have it even so. */
  synchronized void givenUp() {
    adding--;
  }
}
