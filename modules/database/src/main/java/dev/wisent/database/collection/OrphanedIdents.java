package dev.wisent.database.collection;

import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.StorageEngine;
import java.util.List;
import java.util.Set;

/**
 * Idents in the store that no definition names: entries of an index build that was cut off, or of a
 * temporary collection. Idents are never reused, so the entries waste space and do no harm.
 *
 * <p>A standalone node looks for them when it starts. In a replica set all members have the same,
 * so the leader looks for them when its term begins, and removes them through the log.
 */
public final class OrphanedIdents {
  private final StorageEngine storage;
  private final List<Collection> temporary;
  private final Set<Integer> known;
  private final long lastIdent;
  private MutationBuilder removal;

  /** Notes the idents in use, without concurrent writes; later idents are kept. */
  public OrphanedIdents(StorageEngine storage, Catalog catalog) {
    this.storage = storage;
    this.temporary =
        catalog.all().stream().filter(collection -> collection.definition().isTemporary()).toList();
    this.known = catalog.idents();
    this.lastIdent = storage.counter(Keyspace.CATALOG, CatalogKeys.lastIdent());
  }

  /** Removes temporary collections and everything that was not in use. */
  public void remove(CatalogChanges changes, CommitLog log, OperationContext operation) {
    removal = new MutationBuilder();
    temporary.forEach(collection -> changes.drop(collection, operation));
    collect(Keyspace.RECORDS);
    collect(Keyspace.INDEX);
    for (byte kind : CatalogKeys.kindsWithIdent()) {
      collectInCatalog(kind);
    }
    if (!removal.isEmpty()) {
      changes.exclusively(
          operation,
          () -> {
            log.submit(removal.build()).awaitApplied();
            return null;
          });
    }
  }

  private boolean isUnknown(int ident) {
    return !known.contains(ident) && Integer.toUnsignedLong(ident) <= lastIdent;
  }

  /** Goes from ident to ident; what lies between is not read. */
  private void collect(Keyspace keyspace) {
    try (KeyValueCursor cursor = storage.cursor(keyspace, null, null, false)) {
      boolean found = cursor.next();
      while (found) {
        int ident = RecordKeys.ident(cursor.key());
        byte[] next = RecordKeys.upperBound(ident);
        if (next != null && isUnknown(ident)) {
          removal.deleteRange(keyspace, RecordKeys.lowerBound(ident), next);
        }
        found = next != null && cursor.seek(next);
      }
    }
  }

  private void collectInCatalog(byte kind) {
    try (KeyValueCursor cursor =
        storage.cursor(
            Keyspace.CATALOG,
            CatalogKeys.allOfKind(kind),
            CatalogKeys.allOfKind(kind + 1),
            false)) {
      while (cursor.next()) {
        if (isUnknown(CatalogKeys.ident(cursor.key()))) {
          removal.delete(Keyspace.CATALOG, cursor.copyKey());
        }
      }
    }
  }
}
