package dev.wisent.database.collection;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

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

  /** Changes the definition; what it becomes is worked out with nobody else changing it. */
  public void modify(
      Collection collection,
      UnaryOperator<CollectionDefinition> change,
      OperationContext operation) {
    changing(
        collection,
        operation,
        () -> {
          CollectionDefinition changed = change.apply(collection.definition());
          if (!changed.equals(collection.definition())) {
            publish(collection, changed, new MutationBuilder(), operation);
          }
        });
  }

  /** How many indexes a collection had and has. */
  public record IndexCounts(int before, int after) {}

  /**
   * Adds indexes to a collection, those that it has already left out: they are filled before
   * anybody can see them.
   */
  public IndexCounts addIndexes(
      Collection collection, List<RawDocument> specs, OperationContext operation) {
    var before = new AtomicInteger();
    var after = new AtomicInteger();
    changing(
        collection,
        operation,
        () -> {
          before.set(collection.indexes().size());
          addIndexesLocked(collection, specs, operation);
          after.set(collection.indexes().size());
        });
    return new IndexCounts(before.get(), after.get());
  }

  private void addIndexesLocked(
      Collection collection, List<RawDocument> specs, OperationContext operation) {
    var added = new ArrayList<IndexDefinition>();
    for (RawDocument spec : IndexConflicts.missing(collection.definition(), specs)) {
      added.add(new IndexDefinition(writer.nextIdent(), spec.detached()));
    }
    if (added.isEmpty()) {
      return;
    }
    build(collection, added, operation);
    var indexes = new ArrayList<>(collection.definition().indexes());
    indexes.addAll(added);
    publish(
        collection, collection.definition().withIndexes(indexes), new MutationBuilder(), operation);
  }

  private void build(
      Collection collection, List<IndexDefinition> added, OperationContext operation) {
    try {
      new IndexBuild(storage, log, collection, added).run(operation);
    } catch (RuntimeException e) {
      // Not after the next step: when that fails, the definition may have been stored all the same.
      writer.discard(added.stream().map(IndexDefinition::ident).toList());
      throw e;
    }
  }

  /**
   * Makes an index unique. Entries of unique indexes have another form, so that they are written
   * anew.
   *
   * @param choice the index as it is to be, or null if nothing is to be done
   */
  public void makeUnique(
      Collection collection,
      Function<CollectionDefinition, IndexDefinition> choice,
      OperationContext operation) {
    changing(
        collection,
        operation,
        () -> {
          IndexDefinition wanted = choice.apply(collection.definition());
          if (wanted != null) {
            Index index = collection.index(wanted.name());
            new SharedKeys(storage, collection).refuse(index, operation);
            rebuild(collection, List.of(index.definition()), old -> wanted.spec(), operation);
          }
        });
  }

  /** Throws with the documents that keep an index from being made unique. */
  public void checkUnique(Collection collection, String name, OperationContext operation) {
    changing(
        collection,
        operation,
        () -> {
          Index index = collection.index(name);
          if (index != null) {
            new SharedKeys(storage, collection).refuse(index, operation);
          }
        });
  }

  /** Writes all indexes anew. */
  public void reindex(Collection collection, OperationContext operation) {
    changing(
        collection,
        operation,
        () ->
            rebuild(
                collection, collection.definition().indexes(), IndexDefinition::spec, operation));
  }

  private void rebuild(
      Collection collection,
      List<IndexDefinition> old,
      Function<IndexDefinition, RawDocument> spec,
      OperationContext operation) {
    var renewed =
        old.stream()
            .map(index -> new IndexDefinition(writer.nextIdent(), spec.apply(index).detached()))
            .toList();
    build(collection, renewed, operation);
    CollectionDefinition changed = collection.definition();
    var mutation = new MutationBuilder();
    for (int i = 0; i < old.size(); i++) {
      changed = changed.withIndex(old.get(i), renewed.get(i));
      CatalogWriter.dropIndex(mutation, old.get(i).ident());
    }
    publish(collection, changed, mutation, operation);
  }

  /**
   * Drops indexes that are chosen with nobody else changing the collection; returns how many it
   * had.
   */
  public int dropIndexes(
      Collection collection,
      Function<CollectionDefinition, List<IndexDefinition>> choice,
      OperationContext operation) {
    var before = new AtomicInteger();
    changing(
        collection,
        operation,
        () -> {
          before.set(collection.definition().indexes().size());
          var kept = new ArrayList<>(collection.definition().indexes());
          var mutation = new MutationBuilder();
          for (IndexDefinition index : choice.apply(collection.definition())) {
            kept.remove(index);
            CatalogWriter.dropIndex(mutation, index.ident());
          }
          publish(collection, collection.definition().withIndexes(kept), mutation, operation);
        });
    return before.get();
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
