package dev.wisent.storage;

/**
 * A position in an ordered range of entries. Forward cursors go up from the lower bound, reverse
 * cursors down from the upper bound.
 *
 * <p>For one thread at a time. The arrays returned by {@link #key()} and {@link #value()} belong to
 * the cursor, may be longer than the content, and change with the next move.
 */
public interface KeyValueCursor extends AutoCloseable {
  /** Moves to the first entry, then to the next one; false at the end of the range. */
  boolean next();

  /**
   * Moves to the first entry at or after {@code key} in the cursor's direction: the smallest {@code
   * >= key}, for a reverse cursor the greatest {@code <= key}. A key outside of the bounds is taken
   * to the bound. May go back.
   *
   * @return whether there is such an entry
   */
  default boolean seek(byte[] key) {
    return seek(key, key.length);
  }

  /** As {@link #seek(byte[])} with the first {@code keyLength} bytes of {@code key}. */
  boolean seek(byte[] key, int keyLength);

  /**
   * Reads the entry that the cursor was moved to and those after it, as many as a batch takes; or,
   * where entries were read last, those after them.
   *
   * @return whether there are any; not all the way to the end of the range
   */
  boolean read(EntryBatch batch);

  /** The current key in the first {@link #keyLength()} bytes of a reused array. */
  byte[] key();

  int keyLength();

  /** The current value in the first {@link #valueLength()} bytes of a reused array. */
  byte[] value();

  int valueLength();

  /** The current key in a new array. */
  byte[] copyKey();

  /** The current value in a new array. */
  byte[] copyValue();

  /**
   * Reads the current value into an array of the caller, without the detour over {@link #value()}.
   *
   * @return the length of the value; if it is greater than the room in {@code dest} only the
   *     beginning was read: grow and repeat
   */
  int readValue(byte[] dest, int destOffset);

  /** Frees the cursor; closing twice, or after the engine, is harmless. */
  @Override
  void close();
}
