package dev.wisent.database.write;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.exec.RecordReader;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;

/** Removes the oldest documents of a capped collection, in the mutation that made it too large. */
final class CappedTrimmer {
  private final ReadView view;

  CappedTrimmer(ReadView view) {
    this.view = view;
  }

  /** The caller holds the collection's capped lock. */
  void trim(Collection collection, WriteUnit unit) {
    if (!isTooLarge(collection, unit)) {
      return;
    }
    int ident = collection.ident();
    var reader = new RecordReader(collection);
    try (KeyValueCursor oldest =
        view.cursor(
            Keyspace.RECORDS,
            RecordKeys.recordKey(ident, collection.oldestRecordId()),
            RecordKeys.upperBound(ident),
            false)) {
      boolean first = true;
      while (isTooLarge(collection, unit) && oldest.next()) {
        long recordId = RecordKeys.recordId(oldest.key());
        if (first) {
          collection.oldestRecordId(recordId);
          first = false;
        }
        unit.latch(recordId);
        // Another write may have changed or deleted it before it was latched.
        RawDocument current = unit.readLatched(reader, recordId);
        if (current != null) {
          unit.delete(recordId, current);
        }
      }
    }
  }

  private static boolean isTooLarge(Collection collection, WriteUnit unit) {
    return collection.capped().isExceededBy(unit.documentsAfter(), unit.bytesAfter());
  }
}
