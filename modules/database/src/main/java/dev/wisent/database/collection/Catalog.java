package dev.wisent.database.collection;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.index.Index;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.snapshot.ReadState;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.collation.Collation;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.StorageEngine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** All collections by name, as they are on disk. Looking up takes no lock. */
public final class Catalog {
  private volatile OrphanCounter orphanCounter = (collection, name, operation) -> 0;
  private volatile TableChanges tableChanges = TableChanges.NONE;
  private final StorageEngine storage;
  private final Clock clock;
  private final Supplier<RecordCache> newCache;
  private volatile Contents contents;
  private final Oplog oplog; // null if none is kept
  private volatile long removedAt; // the newest change of the store that took away a name
  private volatile BiConsumer<Namespace, RawDocument> validationWarnings = (where, what) -> {};

  /** Everything that is read from a store, to be replaced as a whole if the store is. */
  private record Contents(
      RecordCache recordCache,
      ConcurrentHashMap<Namespace, Collection> byName,
      ConcurrentHashMap<Integer, Collection> byIdent) {
    void put(Collection collection) {
      byIdent.put(collection.ident(), collection);
      byName.put(collection.namespace(), collection);
    }
  }

  private Catalog(
      StorageEngine storage, Clock clock, Supplier<RecordCache> newCache, boolean keepsOplog) {
    this.storage = storage;
    this.clock = clock;
    this.newCache = newCache;
    this.oplog = keepsOplog ? new Oplog(storage) : null;
  }

  /**
   * Reads the catalog.
   *
   * @param keepsOplog whether the oplog is to be seen as a collection
   */
  public static Catalog load(
      StorageEngine storage, Clock clock, Supplier<RecordCache> newCache, boolean keepsOplog) {
    var catalog = new Catalog(storage, clock, newCache, keepsOplog);
    catalog.contents = catalog.read();
    return catalog;
  }

  private Contents read() {
    var read = new Contents(newCache.get(), new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
    try (KeyValueCursor cursor =
        storage.cursor(
            Keyspace.CATALOG,
            CatalogKeys.allCollectionsLower(),
            CatalogKeys.allCollectionsUpper(),
            false)) {
      while (cursor.next()) {
        var definition = CollectionDefinition.decode(RawDocument.of(cursor.copyValue()));
        read.put(open(definition, read.recordCache()));
      }
    }
    if (oplog != null) {
      read.put(oplog.open(this, read.recordCache()));
    }
    return read;
  }

  /**
   * Has the whole store replaced, and everything read anew from what it holds then. Cursors on the
   * collections of before end. There are no writers meanwhile.
   */
  void replace(Runnable replacement) {
    List<Collection> before = all();
    before.forEach(collection -> collection.publicationLock().lock());
    try {
      replacement.run();
      contents = read();
      before.forEach(Collection::markReplaced);
    } finally {
      before.forEach(collection -> collection.publicationLock().unlock());
    }
  }

  /** The idents of all collections and indexes that are defined. */
  Set<Integer> idents() {
    Set<Integer> idents = new HashSet<>();
    for (Collection collection : all()) {
      idents.add(collection.ident());
      collection.indexes().forEach(index -> idents.add(index.ident()));
    }
    return idents;
  }

  /** The oplog; null if none is kept. */
  public Oplog oplog() {
    return oplog;
  }

  /** Where documents are told that break rules which are not enforced, with what is broken. */
  public void validationWarnings(BiConsumer<Namespace, RawDocument> listener) {
    validationWarnings = listener;
  }

  /** The collection of this name; null if there is none. */
  public Collection find(Namespace namespace) {
    return contents.byName().get(namespace);
  }

  /**
   * As {@link #find(Namespace)}, as far as can be told of the state that an operation reads.
   *
   * @throws CommandException SnapshotUnavailable if that state may have had another one
   */
  public Collection find(Namespace namespace, OperationContext operation) {
    Collection now = find(namespace);
    ReadState state = ReadState.of(operation);
    if (state == null) {
      return now;
    }
    if (OperationState.scope(operation) instanceof PendingCollections transaction) {
      Collection pending = transaction.pending(namespace);
      if (pending != null) {
        return pending;
      }
    }
    long sequence = state.view().sequence();
    boolean wasThere = now != null && now.wasThere(sequence);
    if (!wasThere && removedAt > sequence) {
      throw ReadState.unavailable(namespace);
    }
    return wasThere ? now : null;
  }

  /** The collection with this ident; null if there is none. */
  public Collection find(int ident) {
    return contents.byIdent().get(ident);
  }

  /** The index with this ident, looked for in all collections; null if there is none. */
  Index index(int ident) {
    for (Collection collection : contents.byIdent().values()) {
      for (Index index : collection.indexes()) {
        if (index.ident() == ident) {
          return index;
        }
      }
    }
    return null;
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
    return contents.byName().keySet().stream()
        .map(Namespace::database)
        .distinct()
        .sorted()
        .toList();
  }

  /** The collections of a database, by name. */
  public List<Collection> inDatabase(String database) {
    return contents.byName().entrySet().stream()
        .filter(entry -> entry.getKey().database().equals(database))
        .sorted(Comparator.comparing(entry -> entry.getKey().collection()))
        .map(java.util.Map.Entry::getValue)
        .toList();
  }

  public List<Collection> all() {
    return List.copyOf(contents.byName().values());
  }

  /** A run-time collection for a stored definition, with its counters as they are on disk. */
  Collection open(CollectionDefinition definition) {
    return open(definition, contents.recordCache());
  }

  /** What counts orphans of collections that get another name. */
  public void orphanCounter(OrphanCounter counter) {
    orphanCounter = counter;
  }

  OrphanCounter orphanCounter() {
    return orphanCounter;
  }

  /** What is done around changes of the tables of a shard. */
  public void tableChanges(TableChanges changes) {
    tableChanges = changes;
  }

  TableChanges tableChanges() {
    return tableChanges;
  }

  /** A run-time collection for a definition that is not stored yet. */
  Collection create(CollectionDefinition definition) {
    return open(definition, contents.recordCache(), RecordIds.ofNew());
  }

  private Collection open(CollectionDefinition definition, RecordCache recordCache) {
    return open(definition, recordCache, RecordIds.open(definition.ident(), storage));
  }

  private Collection open(
      CollectionDefinition definition, RecordCache recordCache, RecordIds recordIds) {
    return new Collection(
        state(definition, List.of()),
        recordCache,
        recordIds,
        StoredCounters.of(definition.ident(), storage));
  }

  /** Run-time state for a definition; indexes that were open before are kept as they are. */
  Collection.State state(CollectionDefinition definition, List<Index> before) {
    var indexes = new ArrayList<Index>();
    for (IndexDefinition index : definition.indexes()) {
      indexes.add(
          before.stream()
              .filter(open -> open.definition().equals(index))
              .findFirst()
              .orElseGet(() -> Index.open(index, storage, clock)));
    }
    return new Collection.State(
        definition,
        List.copyOf(indexes),
        CappedLimits.of(definition.options()),
        DocumentRules.of(
            definition.options(),
            clock,
            information -> validationWarnings.accept(definition.namespace(), information)),
        Collation.ofOptions(definition.options()),
        definition.keepsPreImages());
  }

  /** Makes a definition that is stored by now the collection's. */
  void publish(Collection collection, Collection.State changed) {
    collection.publish(changed, storage.sequence());
  }

  void put(Collection collection) {
    collection.named(storage.sequence());
    contents.put(collection);
  }

  /** After another collection may have taken over its name. */
  void remove(Collection collection) {
    removeName(collection.namespace(), collection);
    contents.byIdent().remove(collection.ident());
  }

  /** For a collection that has another name now. */
  void removeName(Namespace before, Collection collection) {
    removedAt = storage.sequence();
    contents.byName().remove(before, collection);
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
