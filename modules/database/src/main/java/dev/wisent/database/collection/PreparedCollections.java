package dev.wisent.database.collection;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.index.Index;
import dev.wisent.database.oplog.CatalogEntries;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Makes collections for transactions: they are complete but for their definition in the store and
 * their name in the catalog, which come with the commit. Thread-safe.
 */
public final class PreparedCollections {
  private final Catalog catalog;
  private final ViewNames views;
  private final CatalogChanges changes;
  private final CatalogWriter writer;
  private final CatalogEntries oplog;
  private final Supplier<UUID> uuids;

  public PreparedCollections(
      StorageEngine storage,
      CommitLog log,
      Catalog catalog,
      ViewNames views,
      CatalogChanges changes,
      Supplier<UUID> uuids) {
    this.catalog = catalog;
    this.views = views;
    this.changes = changes;
    this.writer = new CatalogWriter(storage, log);
    this.oplog = new CatalogEntries(log);
    this.uuids = uuids;
  }

  /**
   * Makes a collection with checked options.
   *
   * @param uuid null for a new one
   * @param taken the error if the name is taken
   */
  public Collection create(
      Namespace namespace,
      RawDocument options,
      UUID uuid,
      OperationContext operation,
      Supplier<CommandException> taken) {
    return changes.exclusively(
        operation,
        () -> {
          if (isTaken(namespace)) {
            throw taken.get();
          }
          catalog.checkCaseOfDatabase(namespace);
          int ident = writer.takeIdents(2, operation);
          return catalog.create(
              new CollectionDefinition(
                  namespace,
                  uuid == null ? uuids.get() : uuid,
                  ident,
                  options.detached(),
                  List.of(IndexDefinition.ofId(ident + 1, options))));
        });
  }

  private boolean isTaken(Namespace namespace) {
    return catalog.find(namespace) != null || views.contains(namespace);
  }

  /** Which of the indexes a collection does not have. */
  public static List<RawDocument> missing(Collection collection, List<RawDocument> specs) {
    CollectionDefinition definition = collection.definition();
    return IndexConflicts.missing(definition, IndexConflicts.stored(definition, specs));
  }

  /** Adds indexes to a prepared collection, which has no documents. */
  public void addIndexes(
      Collection prepared, List<RawDocument> missing, OperationContext operation) {
    changes.exclusively(
        operation,
        () -> {
          int ident = writer.takeIdents(missing.size(), operation);
          var indexes = new ArrayList<>(prepared.definition().indexes());
          for (RawDocument spec : missing) {
            indexes.add(new IndexDefinition(ident++, spec.detached()));
          }
          List<Index> open = prepared.indexes();
          // Not at a change of the store: the transaction reads a state from before.
          prepared.publish(catalog.state(prepared.definition().withIndexes(indexes), open), 0);
          return null;
        });
  }

  /** Adds the definition of a prepared collection to the mutation of the commit. */
  public static void write(Collection prepared, MutationBuilder mutation) {
    mutation.put(
        Keyspace.CATALOG,
        CatalogKeys.collection(prepared.namespace()),
        prepared.definition().encode().toByteArray());
  }

  /** What the oplog says of a prepared collection: its creation, then its indexes. */
  public List<byte[]> entries(Collection prepared) {
    CollectionDefinition definition = prepared.definition();
    CollectionDefinition first = definition.withIndexes(definition.indexes().subList(0, 1));
    var entries = new MutationBuilder();
    oplog.created(first, entries);
    oplog.changed(first, definition, entries);
    return entries.build().oplogEntries();
  }

  /**
   * Runs the commit that writes the definitions, and publishes them; no other change of the catalog
   * comes between.
   *
   * @param conflict what to throw if a name was taken meanwhile
   */
  public <T> T publishing(
      List<Collection> prepared,
      OperationContext operation,
      Supplier<CommandException> conflict,
      Supplier<T> commit) {
    return changes.exclusively(
        operation,
        () -> {
          for (Collection collection : prepared) {
            if (isTaken(collection.namespace())) {
              throw conflict.get();
            }
            catalog.checkCaseOfDatabase(collection.namespace());
          }
          T result = commit.get();
          prepared.forEach(catalog::put);
          return result;
        });
  }
}
