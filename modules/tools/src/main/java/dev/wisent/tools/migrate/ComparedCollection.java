package dev.wisent.tools.migrate;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * How far a collection is compared with its copy: all but its suspects, which are documents that
 * were different when they were read, or that have changed since. Thread-safe.
 */
final class ComparedCollection {
  private static final int SUSPECTS_MAX = 100_000;
  private static final int SUSPECT_BYTES_MAX = 16 << 20;

  private final Set<DocumentKey> suspects = new LinkedHashSet<>();
  private long bytes;
  private boolean compared;
  private boolean under; // a thread compares it
  private boolean putOff;
  private boolean added;
  private int generation;

  /** Whether only the suspects are left. */
  synchronized boolean isCompared() {
    return compared;
  }

  /** Whether there is nothing to do for it before the end. */
  synchronized boolean isAhead() {
    return compared || putOff;
  }

  /** Whether this thread is to compare it: it is not compared, and no other thread does that. */
  synchronized boolean claim() {
    if (under || compared || putOff) {
      return false;
    }
    under = true;
    return true;
  }

  synchronized void unclaim() {
    under = false;
  }

  /** The end compares it: it cannot be read now, as while it is renamed. */
  synchronized void putOff() {
    putOff = true;
  }

  /** Forgets what was compared, since what the collection is has changed. */
  synchronized void changed() {
    suspects.clear();
    bytes = 0;
    anew();
  }

  private void anew() {
    compared = false;
    putOff = false;
    generation++;
  }

  /** To be called before the first document is read; the result is what the end has to say. */
  synchronized int begin() {
    if (isFull()) {
      suspects.clear();
      bytes = 0;
    }
    return generation;
  }

  /**
   * All documents were read, and what was different is among the suspects. If these are too many,
   * the end has to find out.
   */
  synchronized void done(int begun) {
    compared = begun == generation;
    if (isFull()) {
      putOff = true;
    }
  }

  /** Too many of them are not held: then all is compared once more. */
  synchronized void suspect(Collection<DocumentKey> keys) {
    for (DocumentKey key : keys) {
      if (isFull()) {
        anew();
        return;
      }
      added = true;
      if (suspects.add(key)) {
        bytes += key.size();
      }
    }
  }

  private boolean isFull() {
    return suspects.size() >= SUSPECTS_MAX || bytes >= SUSPECT_BYTES_MAX;
  }

  /** Some were compared again. */
  synchronized void cleared(Collection<DocumentKey> equal) {
    for (DocumentKey key : equal) {
      if (suspects.remove(key)) {
        bytes -= key.size();
      }
    }
  }

  /** How many suspects there are if one has come since they were taken; 0 otherwise. */
  synchronized int added() {
    return added ? suspects.size() : 0;
  }

  synchronized int size() {
    return suspects.size();
  }

  synchronized Set<DocumentKey> suspects() {
    added = false;
    return new LinkedHashSet<>(suspects);
  }
}
