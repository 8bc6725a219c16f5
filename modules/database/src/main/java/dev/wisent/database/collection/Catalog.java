package dev.wisent.database.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.Namespace;
import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageEngine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** All collections by name, as they are on disk. Looking up takes no lock. */
public final class Catalog {
  private final StorageEngine storage;
  private final RecordCache recordCache;
  private final ConcurrentHashMap<Namespace, Collection> collections = new ConcurrentHashMap<>();
  private volatile BiConsumer<Namespace, RawDocument> validationWarnings = (where, what) -> {};

  private Catalog(StorageEngine storage, RecordCache recordCache) {
    this.recordCache = recordCache;
    this.storage = storage;
  }

  /** Reads the catalog, and removes what an unfinished change of the last run left behind. */
  public static Catalog load(StorageEngine storage, CommitLog log, RecordCache recordCache) {
    var catalog = new Catalog(storage, recordCache);
    var known = new HashSet<Integer>();
    var leftovers = new MutationBuilder();
    try (KeyValueCursor cursor =
        storage.cursor(
            Keyspace.CATALOG,
            CatalogKeys.allCollectionsLower(),
            CatalogKeys.allCollectionsUpper(),
            false)) {
      while (cursor.next()) {
        var definition = CollectionDefinition.decode(RawDocument.of(cursor.copyValue()));
        if (definition.isTemporary()) {
          leftovers.delete(Keyspace.CATALOG, cursor.copyKey());
          continue;
        }
        catalog.collections.put(definition.namespace(), catalog.open(definition));
        known.add(definition.ident());
        definition.indexes().forEach(index -> known.add(index.ident()));
      }
    }
    new Leftovers(storage, known, leftovers).remove(log);
    return catalog;
  }

  /** Where documents are told that break rules which are not enforced, with what is broken. */
  public void validationWarnings(BiConsumer<Namespace, RawDocument> listener) {
    validationWarnings = listener;
  }

  /** The collection of this name; null if there is none. */
  public Collection find(Namespace namespace) {
    return collections.get(namespace);
  }

  public Collection require(Namespace namespace) {
    Collection collection = find(namespace);
    if (collection == null) {
      throw new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, "ns does not exist: " + namespace);
    }
    return collection;
  }

  /** Names of databases that have a collection, sorted. */
  public List<String> databases() {
    return collections.keySet().stream().map(Namespace::database).distinct().sorted().toList();
  }

  /** The collections of a database, by name. */
  public List<Collection> inDatabase(String database) {
    return collections.entrySet().stream()
        .filter(entry -> entry.getKey().database().equals(database))
        .sorted(Comparator.comparing(entry -> entry.getKey().collection()))
        .map(java.util.Map.Entry::getValue)
        .toList();
  }

  public List<Collection> all() {
    return List.copyOf(collections.values());
  }

  /** A run-time collection for a stored definition, with its counters as they are on disk. */
  Collection open(CollectionDefinition definition) {
    int ident = definition.ident();
    return new Collection(
        state(definition, List.of()),
        recordCache,
        RecordIds.open(ident, storage),
        storage.counter(Keyspace.CATALOG, CatalogKeys.documents(ident)),
        storage.counter(Keyspace.CATALOG, CatalogKeys.bytes(ident)));
  }

  /** Run-time state for a definition; indexes that were open before are kept as they are. */
  Collection.State state(CollectionDefinition definition, List<Index> before) {
    var indexes = new ArrayList<Index>();
    for (IndexDefinition index : definition.indexes()) {
      indexes.add(
          before.stream()
              .filter(open -> open.definition().equals(index))
              .findFirst()
              .orElseGet(() -> Index.open(index, storage)));
    }
    return new Collection.State(
        definition,
        List.copyOf(indexes),
        CappedLimits.of(definition.options()),
        DocumentRules.of(
            definition.options(),
            information -> validationWarnings.accept(definition.namespace(), information)));
  }

  void put(Collection collection) {
    collections.put(collection.namespace(), collection);
  }

  void remove(Namespace namespace) {
    collections.remove(namespace);
  }

  /** Two databases may not differ by case only; file systems and people confuse them. */
  void checkCaseOfDatabase(Namespace namespace) {
    for (String existing : databases()) {
      if (existing.equalsIgnoreCase(namespace.database())
          && !existing.equals(namespace.database())) {
        throw new CommandException(
            ErrorCode.DATABASE_DIFFER_CASE,
            "db already exists with different case already have: ["
                + existing
                + "] trying to create ["
                + namespace.database()
                + "]");
      }
    }
  }
}
