package dev.wisent.sharding;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import java.util.UUID;

/**
 * A sharded collection.
 *
 * @param unique whether the shard key is unique
 * @param defaultCollation empty for the simple one
 */
public record CollectionRouting(
    Namespace namespace,
    UUID uuid,
    ShardKeyPattern key,
    boolean unique,
    RawDocument defaultCollation,
    RoutingTable table) {
  /** The same with other chunks. */
  public CollectionRouting with(RoutingTable other) {
    return new CollectionRouting(namespace, uuid, key, unique, defaultCollation, other);
  }
}
