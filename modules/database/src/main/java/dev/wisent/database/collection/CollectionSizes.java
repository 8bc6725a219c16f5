package dev.wisent.database.collection;

import dev.wisent.storage.Keyspace;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.RecordSpace;
import dev.wisent.storage.StorageEngine;

/** Approximate sizes on disk. */
public final class CollectionSizes {
  private CollectionSizes() {}

  public static long recordBytes(StorageEngine storage, RecordSpace records) {
    return storage.approximateBytes(records.keyspace(), records.lowerBound(), records.upperBound());
  }

  public static long indexBytes(StorageEngine storage, int ident) {
    return storage.approximateBytes(
        Keyspace.INDEX, RecordKeys.lowerBound(ident), RecordKeys.upperBound(ident));
  }
}
