package dev.wisent.storage;

import java.util.List;

/**
 * A state of the store that can be read: the newest ({@link StorageEngine}) or a fixed one ({@link
 * FixedView}). All reads of documents and index entries go through this interface; no reader
 * depends on which kind it has.
 *
 * <p>Safe for use by several threads, except that a fixed view may only be closed when no other
 * thread is using it.
 */
public interface ReadView {
  /** As {@link #cacheSequence}: the newest version that a cache has. */
  long NEWEST = Long.MAX_VALUE;

  /**
   * As {@link #cacheSequence}: the view has changes that the store and its caches do not have, or
   * is not to displace what caches have.
   */
  long NOT_CACHED = -1;

  /**
   * Grows with every change of the store. This view shows all changes up to it: a snapshot no other
   * ones, so that two with the same number show the same; the newest state maybe more already.
   */
  long sequence();

  /**
   * Which versions of records in a cache of the store are those of this view: those up to a
   * sequence, {@link #NEWEST}, or {@link #NOT_CACHED}.
   */
  long cacheSequence();

  /**
   * Where to read one key: the state below if this view has changes over it and none of them is of
   * the key, and the view itself otherwise. Caches know the state below.
   */
  default ReadView under(Keyspace keyspace, byte[] key) {
    return this;
  }

  /** To be called before an array is made for a value of this view; see {@link LargeValues}. */
  void admit(int valueBytes);

  /** The value of a key, in a new array; null if there is none. */
  byte[] get(Keyspace keyspace, byte[] key);

  /**
   * Reads a value into an array of the caller.
   *
   * @return the length of the value, or -1 if there is none. When the length is greater than {@code
   *     dest.length - destOffset} the value did not fit and {@code dest} holds only its beginning:
   *     grow and repeat.
   */
  int get(Keyspace keyspace, byte[] key, int keyLength, byte[] dest, int destOffset);

  /** As {@link #get(Keyspace, byte[], int, byte[], int)} with offset 0. */
  default int get(Keyspace keyspace, byte[] key, int keyLength, byte[] dest) {
    return get(keyspace, key, keyLength, dest, 0);
  }

  /** The values of several keys, in the order of the keys; null where there is none. */
  List<byte[]> multiGet(Keyspace keyspace, List<byte[]> keys);

  /** The value of a counter made with {@link MutationBuilder#add}; 0 if there is none. */
  long counter(Keyspace keyspace, byte[] key);

  /**
   * Opens a cursor on the keys in {@code [lowerInclusive, upperExclusive)}; null leaves that side
   * open. The cursor starts before its first entry. It keeps showing the state at its opening, also
   * after the view is closed or the store is written.
   */
  KeyValueCursor cursor(
      Keyspace keyspace,
      byte[] lowerInclusive,
      byte[] upperExclusive,
      boolean reverse,
      ScanHint hint);

  /** As above with {@link ScanHint#RANGE}. */
  default KeyValueCursor cursor(
      Keyspace keyspace, byte[] lowerInclusive, byte[] upperExclusive, boolean reverse) {
    return cursor(keyspace, lowerInclusive, upperExclusive, reverse, ScanHint.RANGE);
  }
}
