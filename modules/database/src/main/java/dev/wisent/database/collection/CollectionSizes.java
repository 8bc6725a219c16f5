package dev.wisent.database.collection;

import dev.wisent.database.index.Index;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.RecordSpace;
import dev.wisent.storage.StorageEngine;

/** Approximate sizes on disk, and what makes them smaller. */
public final class CollectionSizes {
  private CollectionSizes() {}

  public static long recordBytes(StorageEngine storage, RecordSpace records) {
    return storage.approximateBytes(records.keyspace(), records.lowerBound(), records.upperBound());
  }

  public static long indexBytes(StorageEngine storage, int ident) {
    return storage.approximateBytes(
        Keyspace.INDEX, RecordKeys.lowerBound(ident), RecordKeys.upperBound(ident));
  }

  /** Gives back the space of what was deleted from a collection and its indexes. */
  public static void compact(StorageEngine storage, Collection collection) {
    compact(storage, Keyspace.RECORDS, collection.ident());
    for (Index index : collection.indexes()) {
      compact(storage, Keyspace.INDEX, index.ident());
    }
  }

  private static void compact(StorageEngine storage, Keyspace keyspace, int ident) {
    storage.compact(keyspace, RecordKeys.lowerBound(ident), RecordKeys.upperBound(ident));
  }
}
