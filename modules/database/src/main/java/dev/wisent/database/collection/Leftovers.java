package dev.wisent.database.collection;

import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.StorageEngine;
import java.util.Set;

/**
 * What belongs to idents that no definition names: entries of an index build that was cut off, or
 * of a temporary collection. Idents are never given out again, so that is waste but no danger.
 */
final class Leftovers {
  private final StorageEngine storage;
  private final Set<Integer> known;
  private final MutationBuilder removal;

  /**
   * @param removal what is to be removed anyway
   */
  Leftovers(StorageEngine storage, Set<Integer> known, MutationBuilder removal) {
    this.storage = storage;
    this.known = known;
    this.removal = removal;
  }

  void remove(CommitLog log) {
    collect(Keyspace.RECORDS);
    collect(Keyspace.INDEX);
    for (byte kind : CatalogKeys.kindsWithIdent()) {
      collectInCatalog(kind);
    }
    if (!removal.isEmpty()) {
      log.submit(removal.build()).awaitApplied();
    }
  }

  /** Goes from ident to ident; what lies between is not read. */
  private void collect(Keyspace keyspace) {
    try (KeyValueCursor cursor = storage.cursor(keyspace, null, null, false)) {
      boolean found = cursor.next();
      while (found) {
        int ident = RecordKeys.ident(cursor.key());
        byte[] next = RecordKeys.upperBound(ident);
        if (!known.contains(ident) && next != null) {
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
        if (!known.contains(CatalogKeys.ident(cursor.key()))) {
          removal.delete(Keyspace.CATALOG, cursor.copyKey());
        }
      }
    }
  }
}
