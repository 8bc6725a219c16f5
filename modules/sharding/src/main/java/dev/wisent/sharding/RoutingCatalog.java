package dev.wisent.sharding;

import dev.wisent.operation.Namespace;
import java.util.List;

/**
 * What a router knows about the cluster: cached, and fetched from the config servers where it is
 * missing or was found to be stale. Calls may wait for the config servers.
 */
public interface RoutingCatalog {
  /** All shards, by name. */
  List<ShardInfo> shards();

  /** Fails with ShardNotFound for a name that no shard has. */
  ShardInfo shard(String name);

  /** Null where the database does not exist. */
  DatabaseRouting database(String name);

  /** Null where the collection is not sharded. */
  CollectionRouting collection(Namespace namespace);

  /** A shard knows this version: what is cached and older is fetched again before its next use. */
  void staleCollection(Namespace namespace, ChunkVersion wanted);

  /** The same of a database; null where the shard knows none. */
  void staleDatabase(String name, DatabaseVersion wanted);
}
