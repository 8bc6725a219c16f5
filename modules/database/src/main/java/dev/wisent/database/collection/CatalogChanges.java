package dev.wisent.database.collection;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.database.Namespace;
import dev.wisent.database.OperationContext;
import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.write.WriteGate;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Changes of the catalog: each is one mutation, made durable before it is acknowledged. They are
 * made one at a time (the gate first, the lock of this object, then the collection's exclusive
 * lock). Those on a collection fail if that has been dropped meanwhile.
 */
public final class CatalogChanges {
  private final StorageEngine storage;
  private final CommitLog log;
  private final Catalog catalog;
  private final CatalogWriter writer;
  private final WriteGate gate;
  private final Supplier<UUID> uuids;
  private final ReentrantLock changing = new ReentrantLock();

  public CatalogChanges(
      StorageEngine storage, CommitLog log, Catalog catalog, WriteGate gate, Supplier<UUID> uuids) {
    this.storage = storage;
    this.log = log;
    this.catalog = catalog;
    this.writer = new CatalogWriter(storage, log);
    this.gate = gate;
    this.uuids = uuids;
  }

  /** As below, for an operation that nobody can interrupt while it waits. */
  public <T> T exclusively(Supplier<T> change) {
    return exclusively(OperationContext.internal(Clock.system()), change);
  }

  /** Runs something that looks at the catalog and then changes it, with no other change between. */
  public <T> T exclusively(OperationContext operation, Supplier<T> change) {
    gate.enter(operation);
    try {
      operation.acquire(changing);
      try {
        return change.get();
      } finally {
        changing.unlock();
      }
    } finally {
      gate.leave();
    }
  }

  /** The same for a change of one collection, which is still there and which nobody writes to. */
  private void changing(Collection collection, OperationContext operation, Runnable change) {
    exclusively(
        operation,
        () -> {
          if (catalog.find(collection.namespace()) != collection) {
            throw new CommandException(
                ErrorCode.NAMESPACE_NOT_FOUND, "ns does not exist: " + collection.namespace());
          }
          withoutWriters(collection, operation, change);
          return null;
        });
  }

  private static void withoutWriters(
      Collection collection, OperationContext operation, Runnable change) {
    Lock lock = collection.exclusiveLock();
    operation.acquire(lock);
    try {
      change.run();
    } finally {
      lock.unlock();
    }
  }

  /** Creates a collection with checked options; fails if the name is taken. */
  public Collection create(Namespace namespace, RawDocument options, OperationContext operation) {
    return exclusively(
        operation,
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
        operation,
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
            writer.nextIdent(),
            options.detached(),
            List.of(new IndexDefinition(writer.nextIdent(), idIndexSpec(options))));
    Collection collection = catalog.open(definition);
    writer.commit(
        CatalogWriter.put(new MutationBuilder(), definition),
        List.of(),
        operation,
        () -> catalog.put(collection));
    return collection;
  }

  /** Two databases may not differ by case only; file systems and people confuse them. */
  private void checkCaseOfDatabase(Namespace namespace) {
    for (String existing : catalog.databases()) {
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

  private static RawDocument idIndexSpec(RawDocument options) {
    var spec = new BsonBuilder();
    spec.appendInt32("v", 2);
    spec.startDocument("key").appendInt32("_id", 1).end();
    var clustered = options.get("clusteredIndex");
    var name =
        clustered != null && clustered.isDocument() ? clustered.asDocument().get("name") : null;
    spec.appendString("name", name == null ? IndexDefinition.ID_INDEX_NAME : name.asString());
    if (clustered != null) {
      spec.appendBoolean("unique", true);
      spec.appendBoolean("clustered", true);
    }
    return spec.toDocument();
  }

  /** Drops a collection and all that belongs to it, unless somebody has done so already. */
  public void drop(Collection collection, OperationContext operation) {
    exclusively(
        operation,
        () -> {
          if (catalog.find(collection.namespace()) == collection) {
            withoutWriters(collection, operation, () -> dropLocked(collection, operation));
          }
          return null;
        });
  }

  private void dropLocked(Collection collection, OperationContext operation) {
    writer.commit(
        CatalogWriter.drop(new MutationBuilder(), collection),
        List.of(collection),
        operation,
        () -> {
          catalog.remove(collection.namespace());
          collection.markDropped();
        });
  }

  /** Gives a collection another name; a collection that has it already goes in the same step. */
  public void rename(
      Collection collection, Namespace to, Collection replaced, OperationContext operation) {
    changing(
        collection,
        operation,
        () -> {
          if (catalog.find(to) != replaced) {
            throw new CommandException(ErrorCode.NAMESPACE_EXISTS, "target namespace exists");
          }
          checkCaseOfDatabase(to);
          if (replaced == null) {
            renameLocked(collection, to, null, operation);
          } else {
            withoutWriters(
                replaced, operation, () -> renameLocked(collection, to, replaced, operation));
          }
        });
  }

  private void renameLocked(
      Collection collection, Namespace to, Collection replaced, OperationContext operation) {
    Namespace from = collection.namespace();
    CollectionDefinition renamed = collection.definition().withNamespace(to);
    var mutation = new MutationBuilder();
    if (replaced != null) {
      CatalogWriter.drop(mutation, replaced);
    }
    mutation.delete(Keyspace.CATALOG, CatalogKeys.collection(from));
    Collection.State state = catalog.state(renamed, collection.indexes());
    writer.commit(
        CatalogWriter.put(mutation, renamed),
        replaced == null ? List.of(collection) : List.of(collection, replaced),
        operation,
        () -> {
          if (replaced != null) {
            replaced.markDropped();
          }
          collection.publish(state);
          catalog.put(collection);
          catalog.remove(from);
          collection.tail().signal();
        });
  }

  /** Replaces the options. */
  public void changeOptions(
      Collection collection, RawDocument options, OperationContext operation) {
    changing(
        collection,
        operation,
        () ->
            publish(
                collection,
                collection.definition().withOptions(options.detached()),
                new MutationBuilder(),
                operation));
  }

  /**
   * Adds indexes to a collection, those that it has already left out: they are filled before
   * anybody can see them.
   */
  public void addIndexes(
      Collection collection, List<RawDocument> specs, OperationContext operation) {
    changing(collection, operation, () -> addIndexesLocked(collection, specs, operation));
  }

  private void addIndexesLocked(
      Collection collection, List<RawDocument> specs, OperationContext operation) {
    var added = new ArrayList<IndexDefinition>();
    for (RawDocument spec : specs) {
      if (!isThere(collection, spec)) {
        added.add(new IndexDefinition(writer.nextIdent(), spec.detached()));
      }
    }
    if (added.isEmpty()) {
      return;
    }
    try {
      new IndexBuild(storage, log, collection, added).run(operation);
    } catch (RuntimeException e) {
      // Not after the next step: when that fails, the definition may have been stored all the same.
      writer.discard(added.stream().map(IndexDefinition::ident).toList());
      throw e;
    }
    var indexes = new ArrayList<>(collection.definition().indexes());
    indexes.addAll(added);
    publish(
        collection, collection.definition().withIndexes(indexes), new MutationBuilder(), operation);
  }

  /** Two commands may have found the same index missing. */
  private static boolean isThere(Collection collection, RawDocument spec) {
    String name = spec.get("name").asString();
    RawDocument existing =
        collection.definition().index(name).map(IndexDefinition::spec).orElse(null);
    if (existing != null && !existing.equals(spec)) {
      throw new CommandException(
          ErrorCode.INDEX_KEY_SPECS_CONFLICT,
          "An existing index has the same name as the requested index. Requested index: "
              + ValueText.of(spec)
              + ", existing index: "
              + ValueText.of(existing));
    }
    return existing != null;
  }

  public void dropIndexes(Collection collection, List<Index> indexes, OperationContext operation) {
    changing(
        collection,
        operation,
        () -> {
          var kept = new ArrayList<>(collection.definition().indexes());
          var mutation = new MutationBuilder();
          for (Index index : indexes) {
            kept.remove(index.definition());
            CatalogWriter.dropIndex(mutation, index.ident());
          }
          publish(collection, collection.definition().withIndexes(kept), mutation, operation);
        });
  }

  private void publish(
      Collection collection,
      CollectionDefinition changed,
      MutationBuilder mutation,
      OperationContext operation) {
    Collection.State state = catalog.state(changed, collection.indexes());
    writer.commit(
        CatalogWriter.put(mutation, changed),
        List.of(collection),
        operation,
        () -> collection.publish(state));
  }
}
