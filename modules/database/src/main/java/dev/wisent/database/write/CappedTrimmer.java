package dev.wisent.database.write;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.CappedLimits;
import dev.wisent.database.collection.Collection;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.StorageEngine;

/** Removes the oldest documents of a capped collection, in the mutation that made it too large. */
final class CappedTrimmer {
  private final StorageEngine storage;

  CappedTrimmer(StorageEngine storage) {
    this.storage = storage;
  }

  /** The caller holds the collection's capped lock. */
  void trim(Collection collection, WriteUnit unit) {
    CappedLimits limits = collection.capped();
    if (!limits.isExceededBy(unit.documentsAfter(), unit.bytesAfter())) {
      return;
    }
    int ident = collection.ident();
    try (KeyValueCursor oldest =
        storage.cursor(
            Keyspace.RECORDS, RecordKeys.lowerBound(ident), RecordKeys.upperBound(ident), false)) {
      while (limits.isExceededBy(unit.documentsAfter(), unit.bytesAfter()) && oldest.next()) {
        long recordId = RecordKeys.recordId(oldest.key());
        unit.latch(recordId);
        unit.delete(recordId, new RawDocument(oldest.value(), 0, oldest.valueLength()));
      }
    }
  }
}
