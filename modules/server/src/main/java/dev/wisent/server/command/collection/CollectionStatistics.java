package dev.wisent.server.command.collection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.diagnostic.CollectionFigures;

/** The figures of a collection as collStats and {@code $collStats} show them. */
final class CollectionStatistics {
  private CollectionStatistics() {}

  /**
   * @param figures null for a collection that does not exist: zeros
   */
  static void append(CollectionFigures figures, long scale, BsonBuilder out) {
    if (figures == null) {
      appendNothing(scale, out);
      return;
    }
    out.appendInt64("size", figures.dataBytes() / scale);
    out.appendInt64("count", figures.documents());
    if (figures.documents() > 0) {
      out.appendInt64("avgObjSize", figures.dataBytes() / figures.documents());
    }
    out.appendInt64("numOrphanDocs", figures.orphans());
    out.appendInt64("storageSize", figures.storageBytes() / scale);
    out.appendInt64("freeStorageSize", 0);
    CollectionFigures.Capped capped = figures.capped();
    out.appendBoolean("capped", capped != null);
    if (capped != null) {
      out.appendInt64("max", capped.documentsMax());
      out.appendInt64("maxSize", capped.bytesMax() / scale);
    }
    out.appendInt32("nindexes", figures.indexBytes().size());
    out.startArray("indexBuilds").end();
    long total = figures.indexBytesTotal();
    out.appendInt64("totalIndexSize", total / scale);
    out.appendInt64("totalSize", (figures.storageBytes() + total) / scale);
    out.startDocument("indexSizes");
    figures.indexBytes().forEach((name, bytes) -> out.appendInt64(name, bytes / scale));
    out.end();
    out.appendInt64("scaleFactor", scale);
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
