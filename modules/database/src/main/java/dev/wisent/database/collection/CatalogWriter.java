package dev.wisent.database.collection;

import dev.wisent.base.CommandException;
import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.index.Index;
import dev.wisent.database.oplog.CatalogEntries;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.LeadershipException;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageException;
import java.util.ArrayList;
import java.util.List;

/** Writes definitions. Used by one thread at a time: the holder of the lock of catalog changes. */
final class CatalogWriter {
  private final StorageEngine storage;
  private final CommitLog log;
  private final CatalogEntries oplog;

  CatalogWriter(StorageEngine storage, CommitLog log) {
    this.storage = storage;
    this.log = log;
    this.oplog = new CatalogEntries(log);
  }

  /** The first of the idents that were never used. A caller that uses them has to take them. */
  int freeIdent() {
    return (int) storage.counter(Keyspace.CATALOG, CatalogKeys.lastIdent()) + 1;
  }

  /** Takes as many idents, to write something under them before they are in a definition. */
  int takeIdents(int count, OperationContext operation) {
    int first = freeIdent();
    OperationState.awaitApplied(
        log.submit(takeIdents(new MutationBuilder(), count).build()), operation);
    return first;
  }

  private static MutationBuilder takeIdents(MutationBuilder mutation, int count) {
    return mutation.add(Keyspace.CATALOG, CatalogKeys.lastIdent(), count);
  }

  /**
   * Commits a change and then publishes it, with readers of the collections kept out in between,
   * and returns when it is durable. Nothing is published if the commit fails.
   */
  void commit(
      MutationBuilder mutation,
      List<Collection> collections,
      OperationContext operation,
      Runnable publication) {
    List<Collection> locked = new ArrayList<>(collections.size());
    CommitFuture commit;
    try {
      for (Collection collection : collections) {
        operation.acquire(collection.publicationLock());
        locked.add(collection);
      }
      commit = log.submit(mutation.build());
      OperationState.awaitApplied(commit, operation);
      publication.run();
    } finally {
      locked.forEach(collection -> collection.publicationLock().unlock());
    }
    commit.awaitDurable();
    OperationState.committed(operation, commit);
  }

  /** Creates a collection; its idents are the first free ones, and are taken with it. */
  MutationBuilder create(CollectionDefinition definition, OperationContext operation) {
    MutationBuilder mutation = takeIdents(new MutationBuilder(), 1 + definition.indexes().size());
    oplog.of(operation).created(definition, mutation);
    return put(mutation, definition);
  }

  /** Adds to a mutation that a definition becomes another one of the same name. */
  MutationBuilder change(
      MutationBuilder mutation,
      CollectionDefinition before,
      CollectionDefinition after,
      OperationContext operation) {
    oplog.of(operation).changed(before, after, mutation);
    return put(mutation, after);
  }

  /** Removes a collection and all that belongs to it. */
  MutationBuilder drop(Collection collection, OperationContext operation) {
    var mutation = new MutationBuilder();
    oplog.of(operation).dropped(collection.definition(), collection.documents(), mutation);
    drop(mutation, collection);
    return mutation;
  }

  /**
   * Gives a collection without writers another name.
   *
   * @param replaced the collection that had that name; null if none
   */
  void rename(
      Catalog catalog,
      Collection collection,
      Namespace to,
      Collection replaced,
      OperationContext operation) {
    Namespace from = collection.namespace();
    CollectionDefinition renamed = collection.definition().withNamespace(to).permanent();
    Collection.State state = catalog.state(renamed, collection.indexes());
    MutationBuilder mutation = renaming(collection, renamed, replaced, operation);
    var counters = new CounterDelta(collection);
    long orphans = catalog.orphanCounter().count(collection, to, operation);
    counters.addOrphans(orphans - collection.orphans().count());
    counters.write(mutation);
    try {
      commit(
          mutation,
          replaced == null ? List.of(collection) : List.of(collection, replaced),
          operation,
          () -> {
            if (replaced != null) {
              replaced.markDropped();
            }
            counters.committed();
            catalog.publish(collection, state);
            catalog.put(collection);
            if (replaced != null) {
              catalog.remove(replaced);
            }
            catalog.removeName(from, collection);
            collection.tail().signal();
          });
    } finally {
      counters.reset();
    }
  }

  private MutationBuilder renaming(
      Collection collection,
      CollectionDefinition renamed,
      Collection replaced,
      OperationContext operation) {
    var mutation = new MutationBuilder();
    CollectionDefinition gone = null;
    long documents = 0;
    if (replaced != null) {
      gone = replaced.definition();
      documents = replaced.documents();
      drop(mutation, replaced);
    }
    oplog
        .of(operation)
        .renamed(collection.definition(), renamed.namespace(), gone, documents, mutation);
    mutation.delete(Keyspace.CATALOG, CatalogKeys.collection(collection.namespace()));
    return put(mutation, renamed);
  }

  private static MutationBuilder put(MutationBuilder mutation, CollectionDefinition definition) {
    return mutation.put(
        Keyspace.CATALOG,
        CatalogKeys.collection(definition.namespace()),
        definition.encode().toByteArray());
  }

  private static void drop(MutationBuilder mutation, Collection collection) {
    mutation.delete(Keyspace.CATALOG, CatalogKeys.collection(collection.namespace()));
    mutation.delete(Keyspace.CATALOG, CatalogKeys.documents(collection.ident()));
    mutation.delete(Keyspace.CATALOG, CatalogKeys.bytes(collection.ident()));
    mutation.delete(Keyspace.CATALOG, CatalogKeys.orphans(collection.ident()));
    mutation.deleteRange(
        Keyspace.CATALOG,
        CatalogKeys.usedRecordIds(collection.ident(), 0),
        CatalogKeys.usedRecordIds(collection.ident() + 1, 0));
    deleteIdent(mutation, Keyspace.RECORDS, collection.ident());
    for (Index index : collection.indexes()) {
      dropIndex(mutation, index.ident());
    }
  }

  static void dropIndex(MutationBuilder mutation, int ident) {
    deleteIdent(mutation, Keyspace.INDEX, ident);
    mutation.deleteRange(
        Keyspace.CATALOG, CatalogKeys.multikey(ident), CatalogKeys.multikey(ident + 1));
    mutation.deleteRange(
        Keyspace.CATALOG, CatalogKeys.multikeyPaths(ident), CatalogKeys.multikeyPaths(ident + 1));
  }

  private static void deleteIdent(MutationBuilder mutation, Keyspace keyspace, int ident) {
    mutation.deleteRange(keyspace, RecordKeys.lowerBound(ident), RecordKeys.upperBound(ident));
  }

  /** Removes what a failed build of indexes has written. */
  void discard(List<Integer> idents) {
    var mutation = new MutationBuilder();
    idents.forEach(ident -> dropIndex(mutation, ident));
    try {
      log.submit(mutation.build()).awaitApplied();
    } catch (CommandException | StorageException | LeadershipException e) {
      // The caller reports why the build failed. The next start or the next leader removes the
      // orphaned idents.
    }
  }
}
