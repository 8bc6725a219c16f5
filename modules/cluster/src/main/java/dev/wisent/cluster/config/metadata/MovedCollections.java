package dev.wisent.cluster.config.metadata;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import java.util.List;

/** Unsharded collections that were moved from the primary shards of their databases. */
public final class MovedCollections {
  private MovedCollections() {}

  /** Those that are on a shard. */
  public static List<Namespace> on(OperationContext operation, CatalogStore store, String shard) {
    return store.find(operation, "collections", RawDocument.parse("{unsplittable: true}")).stream()
        .filter(collection -> isOn(operation, store, collection, shard))
        .map(collection -> Namespace.parse(collection.get("_id").asString()))
        .toList();
  }

  private static boolean isOn(
      OperationContext operation, CatalogStore store, RawDocument collection, String shard) {
    RawDocument chunk =
        new BsonBuilder()
            .append("uuid", collection.get("uuid"))
            .appendString("shard", shard)
            .toDocument();
    return store.findOne(operation, "chunks", chunk) != null;
  }
}
