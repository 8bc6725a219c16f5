package dev.wisent.database.collection;

import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;

/**
 * By how much a mutation changes the counters of a collection: its documents, their bytes, and
 * those of the documents that this node does not own as a shard. The mutation carries it to the
 * store, and {@link #committed()} to memory. For one thread.
 */
public final class CounterDelta {
  private final Collection collection;
  private long documents;
  private long bytes;
  private long orphans;

  /** Whether readers know that the mutation may be stored, and adds orphans. */
  private boolean announced;

  public CounterDelta(Collection collection) {
    this.collection = collection;
  }

  public long documents() {
    return documents;
  }

  public long bytes() {
    return bytes;
  }

  public long orphans() {
    return orphans;
  }

  public void add(long moreDocuments, long moreBytes) {
    documents += moreDocuments;
    bytes += moreBytes;
  }

  public void addOrphans(long more) {
    orphans += more;
  }

  public void add(CounterDelta other) {
    add(other.documents, other.bytes);
    addOrphans(other.orphans);
  }

  /** Adds the change of the stored counters to a mutation, which is then submitted. */
  public void write(MutationBuilder mutation) {
    if (orphans > 0 && !announced) {
      announced = true;
      collection.orphans().adding();
    }
    copyTo(mutation);
  }

  /** Adds the change of the stored counters to a mutation that is only read. */
  public void copyTo(MutationBuilder mutation) {
    if (documents != 0) {
      mutation.add(Keyspace.CATALOG, CatalogKeys.documents(collection.ident()), documents);
    }
    if (bytes != 0) {
      mutation.add(Keyspace.CATALOG, CatalogKeys.bytes(collection.ident()), bytes);
    }
    if (orphans != 0) {
      mutation.add(Keyspace.CATALOG, CatalogKeys.orphans(collection.ident()), orphans);
    }
  }

  /** Has the collection in memory follow the mutation, which is committed. */
  public void committed() {
    if (documents != 0 || bytes != 0) {
      collection.count(documents, bytes);
      collection.changed();
    }
    if (orphans != 0) {
      collection.orphans().stored(orphans, announced);
      announced = false;
    }
  }

  /** Begins anew, after the mutation was committed or given up. */
  public void reset() {
    if (announced) {
      announced = false;
      collection.orphans().givenUp();
    }
    documents = 0;
    bytes = 0;
    orphans = 0;
  }
}
