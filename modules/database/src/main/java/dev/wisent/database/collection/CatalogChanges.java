package dev.wisent.database.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.index.Index;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
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
  private final Catalog catalog;
  private final ViewNames views;
  private final CatalogWriter writer;
  private final Supplier<UUID> uuids;
  private final IndexBuilds builds;
  private final CatalogLock lock;

  public CatalogChanges(
      StorageEngine storage,
      CommitLog log,
      Catalog catalog,
      ViewNames views,
      WriteGate gate,
      Supplier<UUID> uuids) {
    this.storage = storage;
    this.catalog = catalog;
    this.views = views;
    this.writer = new CatalogWriter(storage, log);
    this.lock = new CatalogLock(gate);
    this.uuids = uuids;
    this.builds = new IndexBuilds(storage, log, this, writer, gate, uuids);
  }

  /** Who is told about index builds that take long. */
  public void indexBuildListener(IndexBuildListener listener) {
    builds.listener(listener);
  }

  /** Runs something that looks at the catalog and then changes it, with no other change between. */
  public <T> T exclusively(OperationContext operation, Supplier<T> change) {
    return lock.exclusively(operation, change);
  }

  /** The same for a change of one collection, which is still there and has no writers. */
  <T> T changing(Collection collection, OperationContext operation, Supplier<T> change) {
    return exclusively(
        operation,
        () -> {
          if (catalog.find(collection.namespace()) != collection) {
            throw new CommandException(
                ErrorCode.NAMESPACE_NOT_FOUND, "ns does not exist: " + collection.namespace());
          }
          collection.requireNotOfTheLog(
              ErrorCode.OPLOG_OPERATION_UNSUPPORTED, "Cannot change a live oplog");
          return CatalogLock.withoutWriters(collection, operation, change);
        });
  }

  private void changing(Collection collection, OperationContext operation, Runnable change) {
    changing(
        collection,
        operation,
        () -> {
          change.run();
          return null;
        });
  }

  /** Creates a collection with checked options; fails if the name is taken. */
  public Collection create(Namespace namespace, RawDocument options, OperationContext operation) {
    return create(namespace, options, uuids.get(), operation);
  }

  /** The same with a UUID that was given to it elsewhere. */
  public Collection create(
      Namespace namespace, RawDocument options, UUID uuid, OperationContext operation) {
    return exclusively(
        operation,
        () -> {
          if (catalog.find(namespace) != null || views.contains(namespace)) {
            throw new CommandException(
                ErrorCode.NAMESPACE_EXISTS, "namespace " + namespace + " already exists");
          }
          return createFree(namespace, options, uuid, operation);
        });
  }

  /** The collection of this name, made with no options if there is none. */
  public Collection findOrCreate(Namespace namespace, OperationContext operation) {
    Collection existing = catalog.find(namespace);
    return existing != null
        ? existing
        : exclusively(operation, () -> findOrCreateAlone(namespace, operation));
  }

  private Collection findOrCreateAlone(Namespace namespace, OperationContext operation) {
    views.refuse(namespace);
    Collection meanwhile = catalog.find(namespace);
    return meanwhile != null
        ? meanwhile
        : createFree(namespace, PreImages.optionsOf(namespace), uuids.get(), operation);
  }

  private Collection createFree(
      Namespace namespace, RawDocument options, UUID uuid, OperationContext operation) {
    catalog.checkCaseOfDatabase(namespace);
    boolean firstOfDatabase = !catalog.databases().contains(namespace.database());
    operation.writes().create(namespace, firstOfDatabase);
    int ident = writer.freeIdent();
    List<IndexDefinition> indexes = PreImages.indexesOf(namespace, ident + 1, options);
    var definition = new CollectionDefinition(namespace, uuid, ident, options.detached(), indexes);
    Collection collection = catalog.create(definition);
    writer.commit(
        writer.create(definition, operation), List.of(), operation, () -> catalog.put(collection));
    return collection;
  }

  /**
   * Drops a collection and all that belongs to it, unless that is done already. Builds of its
   * indexes are ended first.
   */
  public void drop(Collection collection, OperationContext operation) {
    collection.requireNotOfTheLog(
        ErrorCode.DROP_OF_LIVE_OPLOG, "can't drop live oplog while replicating");
    boolean done;
    do {
      IndexBuilds.abortAll(collection, "collection dropped", operation);
      done =
          exclusively(
              operation,
              () ->
                  catalog.find(collection.namespace()) != collection
                      || CatalogLock.withoutWriters(
                          collection, operation, () -> dropLocked(collection, operation)));
    } while (!done);
  }

  /** False if a build has begun meanwhile. */
  private boolean dropLocked(Collection collection, OperationContext operation) {
    if (!collection.builds().isEmpty()) {
      return false;
    }
    writer.commit(
        writer.drop(collection, operation),
        List.of(collection),
        operation,
        () -> {
          catalog.remove(collection);
          collection.markDropped();
        });
    return true;
  }

  /** Gives a collection another name; a collection that has it already goes in the same step. */
  public void rename(
      Collection collection, Namespace to, Collection replaced, OperationContext operation) {
    collection.requireNotOfTheLog(
        ErrorCode.ILLEGAL_OPERATION, "can't rename live oplog while replicating");
    if (replaced != null) {
      replaced.requireNotOfTheLog(
          ErrorCode.ILLEGAL_OPERATION, "can't rename to live oplog while replicating");
    }
    changing(
        collection,
        operation,
        () -> {
          if (catalog.find(to) != replaced) {
            throw new CommandException(ErrorCode.NAMESPACE_EXISTS, "target namespace exists");
          }
          catalog.checkCaseOfDatabase(to);
          collection.requireNoBuilds();
          if (replaced == null) {
            writer.rename(catalog, collection, to, null, operation);
          } else {
            CatalogLock.withoutWriters(
                replaced,
                operation,
                () -> {
                  replaced.requireNoBuilds();
                  writer.rename(catalog, collection, to, replaced, operation);
                  return null;
                });
          }
        });
  }

  /** Changes the definition; what it becomes is computed while nothing else changes it. */
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
   * readers can see them. Writers go on meanwhile if it is large. One that another operation is
   * building is waited for.
   */
  public IndexCounts addIndexes(
      Collection collection, List<RawDocument> specs, OperationContext operation) {
    return builds.add(collection, specs, operation);
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
            builds.rebuildLocked(
                collection, List.of(index.definition()), old -> wanted.spec(), operation);
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
        () -> {
          collection.requireNoBuilds();
          builds.rebuildLocked(
              collection, collection.definition().indexes(), IndexDefinition::spec, operation);
        });
  }

  /**
   * Drops indexes that are chosen while nothing else changes the collection; returns how many it
   * had. Those that are being built can be chosen, too: that ends the build.
   */
  public int dropIndexes(
      Collection collection,
      Function<CollectionDefinition, List<IndexDefinition>> choice,
      OperationContext operation) {
    CollectionDefinition all = collection.definitionWithBuilding();
    if (all.indexes().size() > collection.definition().indexes().size()) {
      List<IndexDefinition> chosen = choice.apply(all);
      if (IndexBuilds.abort(collection, chosen, "dropIndexes command", operation)) {
        dropReady(collection, definition -> stillIn(definition, chosen), operation);
        return all.indexes().size();
      }
    }
    return dropReady(collection, choice, operation);
  }

  private static List<IndexDefinition> stillIn(
      CollectionDefinition definition, List<IndexDefinition> chosen) {
    return definition.indexes().stream().filter(chosen::contains).toList();
  }

  private int dropReady(
      Collection collection,
      Function<CollectionDefinition, List<IndexDefinition>> choice,
      OperationContext operation) {
    return changing(
        collection,
        operation,
        () -> {
          int before = collection.definition().indexes().size();
          var kept = new ArrayList<>(collection.definition().indexes());
          var mutation = new MutationBuilder();
          for (IndexDefinition index : choice.apply(collection.definition())) {
            kept.remove(index);
            CatalogWriter.dropIndex(mutation, index.ident());
          }
          publish(collection, collection.definition().withIndexes(kept), mutation, operation);
          return before;
        });
  }

  private void publish(
      Collection collection,
      CollectionDefinition changed,
      MutationBuilder mutation,
      OperationContext operation) {
    publish(collection, changed, collection.indexes(), mutation, operation);
  }

  /** Commits and publishes a definition; those of its indexes that are open stay as they are. */
  void publish(
      Collection collection,
      CollectionDefinition changed,
      List<Index> open,
      MutationBuilder mutation,
      OperationContext operation) {
    Collection.State state = catalog.state(changed, open);
    writer.commit(
        writer.change(mutation, collection.definition(), changed, operation),
        List.of(collection),
        operation,
        () -> catalog.publish(collection, state));
  }
}
