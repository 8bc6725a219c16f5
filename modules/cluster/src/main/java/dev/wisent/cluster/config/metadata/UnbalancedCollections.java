package dev.wisent.cluster.config.metadata;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.CollectionDocument;
import java.util.List;

/** Sharded collections whose chunks the balancer leaves where they are, as a setting says. */
public final class UnbalancedCollections {
  private UnbalancedCollections() {}

  /** Whether the settings of a sharded collection let the balancer move its chunks. */
  public static boolean isBalanced(RawDocument collection) {
    return !CollectionDocument.of(collection).noBalance()
        && CollectionDocument.mayMigrate(collection);
  }

  /** The names of those that have chunks on a shard. */
  public static List<String> on(OperationContext operation, CatalogStore store, String shard) {
    return store.find(operation, "collections", RawDocument.EMPTY).stream()
        .filter(CollectionDocument::isSharded)
        .filter(collection -> !isBalanced(collection) && isOn(operation, store, collection, shard))
        .map(collection -> collection.get("_id").asString())
        .toList();
  }

  /** Whether a collection has chunks on a shard. */
  public static boolean isOn(
      OperationContext operation, CatalogStore store, RawDocument collection, String shard) {
    RawDocument chunk =
        new BsonBuilder()
            .append("uuid", collection.get("uuid"))
            .appendString("shard", shard)
            .toDocument();
    return store.findOne(operation, "chunks", chunk) != null;
  }
}
