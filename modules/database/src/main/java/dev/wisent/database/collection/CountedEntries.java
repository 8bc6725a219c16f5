package dev.wisent.database.collection;

import dev.wisent.storage.SortedEntries;

/** Entries, with something done for each of them. */
record CountedEntries(SortedEntries entries, Runnable each) implements SortedEntries {
  @Override
  public boolean next() {
    if (entries.next()) {
      each.run();
      return true;
    }
    return false;
  }

  @Override
  public byte[] key() {
    return entries.key();
  }

  @Override
  public byte[] value() {
    return entries.value();
  }

  @Override
  public void close() {
    entries.close();
  }
}
