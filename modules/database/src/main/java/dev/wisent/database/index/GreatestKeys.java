package dev.wisent.database.index;

import java.util.Arrays;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The greatest keys of a unique index, to know without asking storage that a new key is not taken:
 * most identifiers are made in ascending order, by several clients at a time. Above the floor every
 * key that may be in the index is in the set; below it storage has to be asked.
 *
 * <p>Keys are noted before they are committed and never taken out, so the set may hold keys that
 * the index does not have. Every key must come through here: code that brings entries into storage
 * in another way has to have everything forgotten. Thread-safe.
 */
final class GreatestKeys {
  /** Enough for eight clients that each insert batches of a thousand. */
  private static final int KEYS_MAX = 8192;

  private final int keysMax;
  private final TreeSet<byte[]> aboveFloor = new TreeSet<>(Arrays::compareUnsigned);
  private byte[] floor;

  GreatestKeys() {
    this(KEYS_MAX);
  }

  GreatestKeys(int keysMax) {
    this.keysMax = keysMax;
  }

  /**
   * Notes a key that is about to be added; returns whether it is certainly not in the index.
   *
   * @param greatestStored gives the greatest key in storage, or an empty one; asked once
   */
  synchronized boolean addIfAbsent(byte[] key, Supplier<byte[]> greatestStored) {
    if (floor == null) {
      floor = greatestStored.get();
    }
    if (Arrays.compareUnsigned(key, floor) <= 0 || !aboveFloor.add(key)) {
      return false;
    }
    if (aboveFloor.size() > keysMax) {
      floor = aboveFloor.pollFirst();
    }
    return true;
  }

  /** Others have written to the index: storage is to be asked again. */
  synchronized void forget() {
    floor = null;
    aboveFloor.clear();
  }
}
