package dev.wisent.database.collection;

import dev.wisent.storage.Keyspace;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.StorageEngine;

/** Approximate sizes on disk. */
public final class CollectionSizes {
  private CollectionSizes() {}

  public static long recordBytes(StorageEngine storage, int ident) {
    return storage.approximateBytes(
        Keyspace.RECORDS, RecordKeys.lowerBound(ident), RecordKeys.upperBound(ident));
  }

  public static long indexBytes(StorageEngine storage, int ident) {
    return storage.approximateBytes(
        Keyspace.INDEX, RecordKeys.lowerBound(ident), RecordKeys.upperBound(ident));
  }
}
