package dev.wisent.database.collection;

import dev.wisent.storage.SortedEntries;
import java.util.function.BiConsumer;

/**
 * Writes the entries of an index that is being built and that nothing else knows. For one thread.
 */
interface EntryWriter {
  /**
   * Brings in what a scan has found.
   *
   * @param sorted keys with their record ids, and type bits; an entry may be there twice
   * @param into takes keys and values in the order of the keys
   */
  void load(SortedEntries sorted, BiConsumer<byte[], byte[]> into);

  /** A record has a key now, or has it with other type bits. */
  void put(byte[] key, byte[] typeBits, long recordId);

  /** A record has a key no more. */
  void remove(byte[] key, long recordId);

  /** Fails if the entries cannot be an index. Everything has been flushed. */
  void check();
}
