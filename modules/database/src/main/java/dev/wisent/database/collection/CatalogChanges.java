package dev.wisent.database.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.Namespace;
import dev.wisent.database.OperationContext;
import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.StorageEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Changes of the catalog: each is one mutation, made durable before it is acknowledged. They are
 * made one at a time (the lock of this object first, then the collection's exclusive lock).
 */
public final class CatalogChanges {
  private final StorageEngine storage;
  private final CommitLog log;
  private final Catalog catalog;
  private final Supplier<UUID> uuids;
  private final ReentrantLock changing = new ReentrantLock();

  public CatalogChanges(
      StorageEngine storage, CommitLog log, Catalog catalog, Supplier<UUID> uuids) {
    this.storage = storage;
    this.log = log;
    this.catalog = catalog;
    this.uuids = uuids;
  }

  /** Runs something that looks at the catalog and then changes it, with no other change between. */
  public <T> T exclusively(Supplier<T> change) {
    changing.lock();
    try {
      return change.get();
    } finally {
      changing.unlock();
    }
  }

  /** Creates a collection with checked options; fails if the name is taken. */
  public Collection create(Namespace namespace, RawDocument options, OperationContext operation) {
    return exclusively(
        () -> {
          if (catalog.find(namespace) != null) {
            throw new CommandException(
                ErrorCode.NAMESPACE_EXISTS, "namespace " + namespace + " already exists");
          }
          return createFree(namespace, options, operation);
        });
  }

  /** The collection of this name, made with no options if there is none. */
  public Collection findOrCreate(Namespace namespace, OperationContext operation) {
    Collection existing = catalog.find(namespace);
    if (existing != null) {
      return existing;
    }
    return exclusively(
        () -> {
          Collection meanwhile = catalog.find(namespace);
          return meanwhile != null
              ? meanwhile
              : createFree(namespace, RawDocument.EMPTY, operation);
        });
  }

  private Collection createFree(
      Namespace namespace, RawDocument options, OperationContext operation) {
    checkCaseOfDatabase(namespace);
    var definition =
        new CollectionDefinition(
            namespace,
            uuids.get(),
            nextIdent(),
            options.detached(),
            List.of(new IndexDefinition(nextIdent(), idIndexSpec(options))));
    commit(new MutationBuilder(), definition, operation);
    Collection collection = catalog.open(definition);
    catalog.put(collection);
    return collection;
  }

  /** Two databases may not differ by case only; file systems and people confuse them. */
  private void checkCaseOfDatabase(Namespace namespace) {
    for (String existing : catalog.databases()) {
      if (existing.equalsIgnoreCase(namespace.database())
          && !existing.equals(namespace.database())) {
        throw new CommandException(
            ErrorCode.DATABASE_DIFFER_CASE,
            "db already exists with different case already have: [" + existing
                + "] trying to create [" + namespace.database() + "]");
      }
    }
  }

  private static RawDocument idIndexSpec(RawDocument options) {
    var spec = new BsonBuilder();
    spec.appendInt32("v", 2);
    spec.startDocument("key").appendInt32("_id", 1).end();
    var clustered = options.get("clusteredIndex");
    var name = clustered != null && clustered.isDocument()
        ? clustered.asDocument().get("name")
        : null;
    spec.appendString(
        "name", name == null ? IndexDefinition.ID_INDEX_NAME : name.asString());
    if (clustered != null) {
      spec.appendBoolean("unique", true);
      spec.appendBoolean("clustered", true);
    }
    return spec.toDocument();
  }

  /** Drops a collection and all that belongs to it. */
  public void drop(Collection collection, OperationContext operation) {
    exclusively(
        () -> {
          var mutation = new MutationBuilder();
          dropInto(mutation, collection);
          runExclusive(
              collection,
              () -> {
                submit(mutation, operation);
                catalog.remove(collection.namespace());
                collection.markDropped();
              });
          return null;
        });
  }

  private void dropInto(MutationBuilder mutation, Collection collection) {
    mutation.delete(Keyspace.CATALOG, CatalogKeys.collection(collection.namespace()));
    mutation.delete(Keyspace.CATALOG, CatalogKeys.documents(collection.ident()));
    mutation.delete(Keyspace.CATALOG, CatalogKeys.bytes(collection.ident()));
    deleteIdent(mutation, Keyspace.RECORDS, collection.ident());
    for (Index index : collection.indexes()) {
      dropIndexInto(mutation, index);
    }
  }

  private static void dropIndexInto(MutationBuilder mutation, Index index) {
    deleteIdent(mutation, Keyspace.INDEX, index.ident());
    mutation.deleteRange(
        Keyspace.CATALOG,
        CatalogKeys.multikey(index.ident()),
        CatalogKeys.multikey(index.ident() + 1));
  }

  private static void deleteIdent(MutationBuilder mutation, Keyspace keyspace, int ident) {
    mutation.deleteRange(keyspace, RecordKeys.lowerBound(ident), RecordKeys.upperBound(ident));
  }

  /** Gives a collection another name; a collection that has it already goes in the same step. */
  public void rename(
      Collection collection, Namespace to, Collection replaced, OperationContext operation) {
    exclusively(
        () -> {
          Namespace from = collection.namespace();
          CollectionDefinition renamed = collection.definition().withNamespace(to);
          var mutation = new MutationBuilder();
          if (replaced != null) {
            dropInto(mutation, replaced);
          }
          mutation.delete(Keyspace.CATALOG, CatalogKeys.collection(from));
          runExclusive(
              collection,
              () -> {
                commit(mutation, renamed, operation);
                if (replaced != null) {
                  replaced.markDropped();
                }
                catalog.remove(from);
                collection.publish(catalog.state(renamed, collection.indexes()));
                catalog.put(collection);
              });
          return null;
        });
  }

  /** Replaces the options. */
  public void changeOptions(
      Collection collection, RawDocument options, OperationContext operation) {
    exclusively(
        () -> {
          publish(collection, collection.definition().withOptions(options), operation);
          return null;
        });
  }

  /** Adds indexes to a collection: they are filled before anybody can see them. */
  public void addIndexes(
      Collection collection, List<RawDocument> specs, OperationContext operation) {
    exclusively(
        () -> {
          var indexes = new ArrayList<>(collection.definition().indexes());
          var added = new ArrayList<IndexDefinition>();
          for (RawDocument spec : specs) {
            added.add(new IndexDefinition(nextIdent(), spec.detached()));
          }
          indexes.addAll(added);
          runExclusive(
              collection,
              () -> {
                new IndexBuild(storage, log, collection, added).run(operation);
                CollectionDefinition changed = collection.definition().withIndexes(indexes);
                commit(new MutationBuilder(), changed, operation);
                collection.publish(catalog.state(changed, collection.indexes()));
              });
          return null;
        });
  }

  public void dropIndexes(
      Collection collection, List<Index> indexes, OperationContext operation) {
    exclusively(
        () -> {
          var kept = new ArrayList<>(collection.definition().indexes());
          var mutation = new MutationBuilder();
          for (Index index : indexes) {
            kept.remove(index.definition());
            dropIndexInto(mutation, index);
          }
          CollectionDefinition changed = collection.definition().withIndexes(kept);
          runExclusive(
              collection,
              () -> {
                commit(mutation, changed, operation);
                collection.publish(catalog.state(changed, collection.indexes()));
              });
          return null;
        });
  }

  private void publish(
      Collection collection, CollectionDefinition changed, OperationContext operation) {
    Collection.State state = catalog.state(changed, collection.indexes());
    runExclusive(
        collection,
        () -> {
          commit(new MutationBuilder(), changed, operation);
          collection.publish(state);
        });
  }

  private static void runExclusive(Collection collection, Runnable change) {
    Lock lock = collection.exclusiveLock();
    lock.lock();
    try {
      change.run();
    } finally {
      lock.unlock();
    }
  }

  private int nextIdent() {
    var mutation = new MutationBuilder();
    mutation.add(Keyspace.CATALOG, CatalogKeys.lastIdent(), 1);
    log.submit(mutation.build()).awaitApplied();
    return (int) storage.counter(Keyspace.CATALOG, CatalogKeys.lastIdent());
  }

  private void commit(
      MutationBuilder mutation, CollectionDefinition definition, OperationContext operation) {
    mutation.put(
        Keyspace.CATALOG,
        CatalogKeys.collection(definition.namespace()),
        definition.encode().toByteArray());
    submit(mutation, operation);
  }

  private void submit(MutationBuilder mutation, OperationContext operation) {
    CommitFuture commit = log.submit(mutation.build());
    commit.awaitApplied();
    commit.awaitDurable();
    operation.committed(commit);
  }
}
