package dev.wisent.server.command.collection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.CappedLimits;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.CollectionSizes;
import dev.wisent.database.collection.Index;
import dev.wisent.operation.Namespace;
import dev.wisent.storage.StorageEngine;

/** Figures about collections, for collStats, {@code $collStats} and dbStats. */
public final class CollectionStatistics {
  private final NodeDatabase database;

  public CollectionStatistics(NodeDatabase database) {
    this.database = database;
  }

  /** Sums over collections. */
  record Totals(
      long collections,
      long views,
      long documents,
      long dataBytes,
      long storageBytes,
      long indexes,
      long indexBytes) {}

  Totals totals(String databaseName) {
    long collections = 0;
    long documents = 0;
    long dataBytes = 0;
    long storageBytes = 0;
    long indexes = 0;
    long indexBytes = 0;
    for (Collection collection : database.inDatabase(databaseName)) {
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
    long views = database.viewsIn(databaseName).size();
    return new Totals(collections, views, documents, dataBytes, storageBytes, indexes, indexBytes);
  }

  /** Figures of one collection; zeros if it does not exist. */
  public void append(Namespace namespace, long scale, BsonBuilder out) {
    Collection collection = database.collection(namespace);
    if (collection == null) {
      database.views(namespace).refuse(namespace);
      appendNothing(scale, out);
      return;
    }
    StorageEngine storage = database.storage(collection);
    long documents = collection.documents();
    long storageBytes = CollectionSizes.recordBytes(storage, collection.records());
    out.appendInt64("size", collection.dataBytes() / scale);
    out.appendInt64("count", documents);
    if (documents > 0) {
      out.appendInt64("avgObjSize", collection.dataBytes() / documents);
    }
    out.appendInt32("numOrphanDocs", 0);
    out.appendInt64("storageSize", storageBytes / scale);
    out.appendInt64("freeStorageSize", 0);
    CappedLimits capped = collection.capped();
    out.appendBoolean("capped", capped != null);
    if (capped != null) {
      out.appendInt64("max", capped.documentsMax());
      out.appendInt64("maxSize", capped.bytesMax() / scale);
    }
    appendIndexes(collection, storageBytes, scale, out);
    out.appendInt64("scaleFactor", scale);
  }

  private void appendIndexes(
      Collection collection, long storageBytes, long scale, BsonBuilder out) {
    out.appendInt32("nindexes", collection.indexes().size());
    out.startArray("indexBuilds").end();
    StorageEngine storage = database.storage(collection);
    long total = 0;
    var sizes = new BsonBuilder();
    for (Index index : collection.indexes()) {
      long bytes = CollectionSizes.indexBytes(storage, index.ident());
      total += bytes;
      sizes.appendInt64(index.name(), bytes / scale);
    }
    out.appendInt64("totalIndexSize", total / scale);
    out.appendInt64("totalSize", (storageBytes + total) / scale);
    out.appendDocument("indexSizes", sizes.toDocument());
  }

  private static void appendNothing(long scale, BsonBuilder out) {
    out.appendInt32("size", 0);
    out.appendInt32("count", 0);
    out.appendInt32("numOrphanDocs", 0);
    out.appendInt32("storageSize", 0);
    out.appendInt32("totalSize", 0);
    out.appendInt32("nindexes", 0);
    out.appendInt32("totalIndexSize", 0);
    out.startDocument("indexDetails").end();
    out.startDocument("indexSizes").end();
    out.appendInt64("scaleFactor", scale);
  }
}
