package dev.wisent.cluster.router;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.DatabaseRouting;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.sharding.ShardInfo;
import java.util.List;

/** Where databases are, and the versions that requests carry there. */
final class Places {
  private final RoutingCatalog catalog;
  private final ShardCalls calls;

  /**
   * A shard, and what a request to it carries.
   *
   * @param versions fields to add to the command
   */
  record Place(String shard, RawDocument versions) {}

  Places(RoutingCatalog catalog, ShardCalls calls) {
    this.catalog = catalog;
    this.calls = calls;
  }

  static boolean isOfConfigServers(String database) {
    return database.equals("config") || database.equals("admin");
  }

  /** Where the unsharded collections of a database are. */
  Place ofDatabase(OperationContext operation, String database, boolean create) {
    if (isOfConfigServers(database)) {
      return new Place(ShardCalls.CONFIG, RawDocument.EMPTY);
    }
    DatabaseRouting known = catalog.database(operation, database);
    if (known == null && create) {
      known = created(operation, database);
    }
    if (known == null) {
      return new Place(anyShard(operation), RawDocument.EMPTY);
    }
    var versions = new BsonBuilder(160);
    versions.appendDocument("shardVersion", ChunkVersion.UNSHARDED.toDocument());
    versions.appendDocument("databaseVersion", known.version().toDocument());
    return new Place(known.primaryShard(), versions.toDocument());
  }

  /** The database, created where it is not there; its version goes along with requests. */
  DatabaseRouting existing(OperationContext operation, String database) {
    DatabaseRouting known = catalog.database(operation, database);
    return known == null ? created(operation, database) : known;
  }

  private DatabaseRouting created(OperationContext operation, String database) {
    var command = new BsonBuilder();
    command.appendString("_configsvrCreateDatabase", database);
    calls.call(operation, ShardRequest.configChange(command));
    catalog.staleDatabase(database, null);
    DatabaseRouting created = catalog.database(operation, database);
    if (created == null) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND, "database " + database + " not found");
    }
    return created;
  }

  /** A database that does not exist is as empty on one shard as on any other. */
  private String anyShard(OperationContext operation) {
    List<ShardInfo> shards = catalog.shards(operation);
    if (shards.isEmpty()) {
      throw new CommandException(ErrorCode.SHARD_NOT_FOUND, "No shards found");
    }
    return shards.getFirst().name();
  }

  /** A shard of a sharded collection. */
  static Place ofShard(CollectionRouting collection, String shard) {
    var versions = new BsonBuilder(80);
    versions.appendDocument("shardVersion", collection.table().versionOf(shard).toDocument());
    return new Place(shard, versions.toDocument());
  }
}
