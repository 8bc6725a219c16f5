package dev.wisent.database.collection;

import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.StorageEngine;

/** The counters of a collection, as the newest state of the store has them. */
record StoredCounters(long documents, long bytes, Orphans orphans) {
  static StoredCounters of(int ident, StorageEngine storage) {
    return new StoredCounters(
        storage.counter(Keyspace.CATALOG, CatalogKeys.documents(ident)),
        storage.counter(Keyspace.CATALOG, CatalogKeys.bytes(ident)),
        new Orphans(
            storage.counter(Keyspace.CATALOG, CatalogKeys.orphans(ident)), storage::sequence));
  }
}
