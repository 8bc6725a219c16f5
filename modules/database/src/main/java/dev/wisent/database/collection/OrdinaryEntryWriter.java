package dev.wisent.database.collection;

import dev.wisent.database.index.IndexEntries;
import dev.wisent.storage.SortedEntries;
import java.util.Arrays;
import java.util.function.BiConsumer;

/** Writes entries that may have the same key. */
final class OrdinaryEntryWriter implements EntryWriter {
  private final BuildBatch batch;

  OrdinaryEntryWriter(BuildBatch batch) {
    this.batch = batch;
  }

  @Override
  public void load(SortedEntries sorted, BiConsumer<byte[], byte[]> into) {
    byte[] last = null;
    while (sorted.next()) {
      if (!Arrays.equals(last, sorted.key())) {
        last = sorted.key();
        into.accept(last, sorted.value());
      }
    }
  }

  @Override
  public void put(byte[] key, byte[] typeBits, long recordId) {
    batch.put(IndexEntries.withRecordId(key, recordId), typeBits);
  }

  @Override
  public void remove(byte[] key, long recordId) {
    batch.delete(IndexEntries.withRecordId(key, recordId));
  }

  @Override
  public void check() {
    // Whatever the documents have is right.
  }
}
