package dev.wisent.sharding;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import java.util.UUID;

/**
 * A collection that is sharded, or on another shard than the primary of its database.
 *
 * @param unique whether the shard key is unique
 * @param defaultCollation empty for the simple one
 * @param unsplittable whether it is not sharded: it has one chunk, on any shard
 */
public record CollectionRouting(
    Namespace namespace,
    UUID uuid,
    ShardKeyPattern key,
    boolean unique,
    RawDocument defaultCollation,
    RoutingTable table,
    boolean unsplittable) {
  /** A sharded collection. */
  public CollectionRouting(
      Namespace namespace,
      UUID uuid,
      ShardKeyPattern key,
      boolean unique,
      RawDocument defaultCollation,
      RoutingTable table) {
    this(namespace, uuid, key, unique, defaultCollation, table, false);
  }

  /** The same with other chunks. */
  public CollectionRouting with(RoutingTable other) {
    return new CollectionRouting(
        namespace, uuid, key, unique, defaultCollation, other, unsplittable);
  }

  /** The only shard of a collection that is not sharded. */
  public String onlyShard() {
    return table.shards().iterator().next();
  }
}
