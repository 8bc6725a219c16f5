package dev.wisent.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.database.collection.Collection;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.RecordKeys;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/** What lies in the keyspaces, to find what belongs to no collection. */
public final class StoreContents {
  private StoreContents() {}

  public static void assertEmpty(TestDatabase database) {
    assertThat(idents(database)).isEmpty();
  }

  /** Everything belongs to a collection or an index that the catalog knows. */
  public static void assertNothingUnknown(TestDatabase database) {
    assertThat(unknown(database)).isEmpty();
  }

  public static boolean isNothingUnknown(TestDatabase database) {
    return unknown(database).isEmpty();
  }

  private static Set<Integer> unknown(TestDatabase database) {
    Set<Integer> known = new HashSet<>();
    for (Collection collection : database.database().catalog().all()) {
      known.add(collection.ident());
      collection.indexes().forEach(index -> known.add(index.ident()));
    }
    Set<Integer> unknown = idents(database);
    unknown.removeAll(known);
    return unknown;
  }

  private static Set<Integer> idents(TestDatabase database) {
    Set<Integer> idents = new TreeSet<>();
    for (Keyspace keyspace : new Keyspace[] {Keyspace.RECORDS, Keyspace.INDEX}) {
      try (KeyValueCursor cursor = database.engine().cursor(keyspace, null, null, false)) {
        while (cursor.next()) {
          idents.add(RecordKeys.ident(cursor.key()));
        }
      }
    }
    for (byte kind : CatalogKeys.kindsWithIdent()) {
      try (KeyValueCursor cursor =
          database
              .engine()
              .cursor(
                  Keyspace.CATALOG,
                  CatalogKeys.allOfKind(kind),
                  CatalogKeys.allOfKind(kind + 1),
                  false)) {
        while (cursor.next()) {
          idents.add(CatalogKeys.ident(cursor.key()));
        }
      }
    }
    return idents;
  }

  /** Writes what a build of an index under this ident would have written before it was cut off. */
  public static void putLeftovers(TestDatabase database, int ident) {
    var mutation = new MutationBuilder();
    byte[] nothing = new byte[0];
    mutation.put(Keyspace.INDEX, RecordKeys.recordKey(ident, 1), nothing);
    mutation.put(Keyspace.INDEX, RecordKeys.recordKey(ident, 2), nothing);
    mutation.put(Keyspace.RECORDS, RecordKeys.recordKey(ident + 1, 2), nothing);
    mutation.put(Keyspace.CATALOG, CatalogKeys.multikey(ident, 0, 0), nothing);
    mutation.add(Keyspace.CATALOG, CatalogKeys.documents(ident), 5);
    mutation.add(Keyspace.CATALOG, CatalogKeys.bytes(ident), 5);
    mutation.add(Keyspace.CATALOG, CatalogKeys.lastIdent(), ident + 1);
    database.log().submit(mutation.build()).awaitApplied();
  }
}
