package dev.wisent.database.collection;

import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;

/**
 * By how much a mutation changes the counters of a collection: its documents and their bytes. The
 * mutation carries it to the store, and {@link #committed()} to memory. For one thread.
 */
public final class CounterDelta {
  private final Collection collection;
  private long documents;
  private long bytes;

  public CounterDelta(Collection collection) {
    this.collection = collection;
  }

  public long documents() {
    return documents;
  }

  public long bytes() {
    return bytes;
  }

  public void add(long moreDocuments, long moreBytes) {
    documents += moreDocuments;
    bytes += moreBytes;
  }

  public void add(CounterDelta other) {
    add(other.documents, other.bytes);
  }

  /** Adds the change of the stored counters to a mutation. */
  public void write(MutationBuilder mutation) {
    if (documents != 0) {
      mutation.add(Keyspace.CATALOG, CatalogKeys.documents(collection.ident()), documents);
    }
    if (bytes != 0) {
      mutation.add(Keyspace.CATALOG, CatalogKeys.bytes(collection.ident()), bytes);
    }
  }

  /** Has the collection in memory follow the mutation, which is committed. */
  public void committed() {
    if (documents != 0 || bytes != 0) {
      collection.count(documents, bytes);
      collection.changed();
    }
  }

  public void reset() {
    documents = 0;
    bytes = 0;
  }
}
