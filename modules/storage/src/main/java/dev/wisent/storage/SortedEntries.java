package dev.wisent.storage;

/** Entries in the order of their keys. For one thread. */
public interface SortedEntries extends AutoCloseable {
  /** Moves to the first entry, then to the next one; false at the end. */
  boolean next();

  /** The current key; an array of the caller's own. */
  byte[] key();

  byte[] value();

  @Override
  void close();
}
