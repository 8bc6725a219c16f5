package dev.wisent.sharding;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
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

  /**
   * Fails where the collection was another one at a time, or was not sharded: what it was is not
   * known.
   */
  public CollectionRouting at(long time) {
    if (Long.compareUnsigned(time, table.version().timestamp()) < 0) {
      throw new CommandException(
          ErrorCode.SNAPSHOT_UNAVAILABLE,
          "Unable to read from a snapshot: the collection '"
              + namespace
              + "' was created or changed later; please retry the operation.");
    }
    return this;
  }

  /** The only shard of a collection that is not sharded. */
  public String onlyShard() {
    return table.shards().iterator().next();
  }
}
