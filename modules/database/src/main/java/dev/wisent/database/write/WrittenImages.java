package dev.wisent.database.write;

import dev.wisent.database.collection.CounterDelta;
import dev.wisent.database.collection.PreImages;
import dev.wisent.database.oplog.TransactionEntries;
import dev.wisent.storage.MutationBuilder;

/** Counts the documents that a transaction keeps as they were before its changes. */
final class WrittenImages {
  /** Of the collection that keeps them; null if there are none. */
  private final CounterDelta counters;

  WrittenImages(TransactionWrites writes, WriteAccess access) {
    CounterDelta counted = null;
    for (TransactionEntries.Operation each : writes.operations()) {
      if (each.image() != null) {
        if (counted == null) {
          counted = new CounterDelta(access.catalog().require(PreImages.NAMESPACE));
        }
        counted.add(1, each.image().document().length);
      }
    }
    this.counters = counted;
  }

  void count(MutationBuilder mutation) {
    if (counters != null) {
      counters.write(mutation);
    }
  }

  void committed() {
    if (counters != null) {
      counters.committed();
    }
  }
}
