package dev.wisent.sharding;

import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import java.util.List;

/**
 * What a router knows about the cluster: cached, and fetched from the config servers where it is
 * missing or was found to be stale. Calls may wait for the config servers, for as long as the
 * operation may; those without an operation are for the router's own requests.
 */
public interface RoutingCatalog {
  /** All shards, by name. */
  default List<ShardInfo> shards(OperationContext operation) {
    return shards();
  }

  /** Fails with ShardNotFound for a name that no shard has. */
  default ShardInfo shard(OperationContext operation, String name) {
    return shard(name);
  }

  /** Null where the database does not exist. */
  default DatabaseRouting database(OperationContext operation, String name) {
    return database(name);
  }

  /** Null where the collection is not sharded. */
  default CollectionRouting collection(OperationContext operation, Namespace namespace) {
    return collection(namespace);
  }

  List<ShardInfo> shards();

  ShardInfo shard(String name);

  DatabaseRouting database(String name);

  CollectionRouting collection(Namespace namespace);

  /**
   * A shard knows this version: what is cached and older is fetched again before its next use.
   *
   * @param wanted null where the shard knows none: then it is fetched in any case
   */
  void staleCollection(Namespace namespace, ChunkVersion wanted);

  /** The same of a named shard, whose own version has to be there too. */
  default void staleCollection(Namespace namespace, ChunkVersion wanted, String shard) {
    staleCollection(namespace, wanted);
  }

  /** Shards have moved a range: what is cached is changed, without a look at the config servers. */
  default void rangeMoved(Namespace namespace, RangeMove move) {}

  /** As {@link #staleCollection}, of a database. */
  void staleDatabase(String name, DatabaseVersion wanted);
}
