package dev.wisent.database.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.check.CollectionDigests;
import dev.wisent.database.check.CollectionValidator;
import dev.wisent.database.collection.CappedLimits;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.CollectionSizes;
import dev.wisent.database.index.Index;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.diagnostic.CollectionDigest;
import dev.wisent.operation.diagnostic.CollectionFigures;
import dev.wisent.operation.diagnostic.DataSize;
import dev.wisent.operation.diagnostic.DatabaseFigures;
import dev.wisent.operation.diagnostic.Diagnostics;
import dev.wisent.operation.diagnostic.IndexUse;
import dev.wisent.operation.diagnostic.ValidationReport;
import dev.wisent.storage.StorageEngine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/** What a node tells about its own collections. Thread-safe. */
public final class NodeDiagnostics implements Diagnostics {
  private final NodeDatabase database;
  private final CollectionDigests digests;

  public NodeDiagnostics(NodeDatabase database) {
    this.database = database;
    this.digests = new CollectionDigests(database);
  }

  @Override
  public void refuseView(Namespace namespace, String message) {
    database.views(namespace).refuse(namespace, message);
  }

  @Override
  public DataSize dataSize(Namespace namespace) {
    Collection collection = collection(namespace);
    return collection == null
        ? DataSize.NONE
        : new DataSize(
            collection.documents(), collection.dataBytes(), collection.orphans().count());
  }

  /** Null if there is none. Fails for a view. */
  private Collection collection(Namespace namespace) {
    Collection collection = database.collection(namespace);
    if (collection == null) {
      database.views(namespace).refuse(namespace);
    }
    return collection;
  }

  @Override
  public CollectionFigures figures(Namespace namespace) {
    Collection collection = collection(namespace);
    if (collection == null) {
      return null;
    }
    StorageEngine storage = database.storage(collection);
    CappedLimits capped = collection.capped();
    var indexBytes = new LinkedHashMap<String, Long>();
    for (Index index : collection.indexes()) {
      indexBytes.put(index.name(), CollectionSizes.indexBytes(storage, index.ident()));
    }
    return new CollectionFigures(
        collection.documents(),
        collection.dataBytes(),
        collection.orphans().count(),
        CollectionSizes.recordBytes(storage, collection.records()),
        capped == null
            ? null
            : new CollectionFigures.Capped(capped.bytesMax(), capped.documentsMax()),
        indexBytes,
        collection.scans().total(),
        collection.scans().nonTailable());
  }

  @Override
  public DatabaseFigures figures(String name) {
    long collections = 0;
    long documents = 0;
    long dataBytes = 0;
    long storageBytes = 0;
    long indexes = 0;
    long indexBytes = 0;
    for (Collection collection : database.inDatabase(name)) {
      StorageEngine storage = database.storage(collection);
      collections++;
      documents += collection.documents();
      dataBytes += collection.dataBytes();
      storageBytes += CollectionSizes.recordBytes(storage, collection.records());
      indexes += collection.indexes().size();
      for (Index index : collection.indexes()) {
        indexBytes += CollectionSizes.indexBytes(storage, index.ident());
      }
    }
    long views = database.viewsIn(name).size();
    return new DatabaseFigures(
        collections, views, documents, dataBytes, storageBytes, indexes, indexBytes);
  }

  @Override
  public List<IndexUse> indexUses(Namespace namespace) {
    Collection collection = database.collection(namespace);
    if (collection == null) {
      return List.of();
    }
    return collection.indexes().stream()
        .map(
            index ->
                new IndexUse(
                    index.name(),
                    index.definition().key(),
                    index.definition().spec(),
                    index.uses(),
                    index.usedSinceMillis()))
        .toList();
  }

  @Override
  public ValidationReport validate(
      OperationContext operation, Namespace namespace, boolean definitionsOnly) {
    Collection collection = database.collection(namespace);
    if (collection == null) {
      refuseView(namespace, "Cannot validate a view");
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND,
          "Collection '" + namespace + "' does not exist to validate.");
    }
    var validator = new CollectionValidator(database.storage(collection), collection, operation);
    return definitionsOnly ? validator.metadata() : validator.run();
  }

  @Override
  public long compact(Namespace namespace) {
    Collection collection = database.collection(namespace);
    if (collection == null) {
      refuseView(namespace, "can't compact a view");
      throw new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, "collection does not exist");
    }
    StorageEngine storage = database.storage(collection);
    long before = storage.diskBytes();
    CollectionSizes.compact(storage, collection);
    return Math.max(0, before - storage.diskBytes());
  }

  @Override
  public List<CollectionDigest> digests(
      OperationContext operation, String name, Set<String> names) {
    return database.inDatabase(name).stream()
        .filter(collection -> CollectionDigests.isData(collection.namespace()))
        .filter(collection -> names == null || names.contains(collection.namespace().collection()))
        .map(collection -> digests.of(collection.definition(), operation))
        .toList();
  }
}
