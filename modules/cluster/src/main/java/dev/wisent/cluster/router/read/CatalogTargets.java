package dev.wisent.cluster.router.read;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ReadPoint;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.DatabaseRouting;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.sharding.ShardTargeter;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.bson.types.ObjectId;

/** Finds the shards of reads in the routing catalog. Thread-safe. */
final class CatalogTargets implements ReadTargets {
  /** Databases that the catalog does not have: users, and the catalog itself. */
  private static final Set<String> OF_CONFIG_SERVERS = Set.of("admin", "config");

  private final RoutingCatalog catalog;
  private final Function<String, DatabaseRouting> databases;

  /**
   * @param databases the routing of a database, which is created where it does not exist
   */
  CatalogTargets(RoutingCatalog catalog, Function<String, DatabaseRouting> databases) {
    this.catalog = catalog;
    this.databases = databases;
  }

  @Override
  public Collation collation(Namespace namespace) {
    CollectionRouting routing = catalog.collection(namespace);
    return routing == null || routing.defaultCollation().isEmpty()
        ? null
        : Collation.parse(routing.defaultCollation());
  }

  @Override
  public boolean isSharded(Namespace namespace) {
    return catalog.collection(namespace) != null;
  }

  @Override
  public ObjectId movedEpoch(Namespace namespace) {
    CollectionRouting routing = catalog.collection(namespace);
    return routing == null || !routing.unsplittable() ? null : routing.table().version().epoch();
  }

  @Override
  public List<ReadTarget> of(
      OperationContext operation,
      Namespace namespace,
      MatchExpression filter,
      Collation collation) {
    CollectionRouting routing = catalog.collection(operation, namespace);
    if (routing == null && OF_CONFIG_SERVERS.contains(namespace.database())) {
      return List.of(new ReadTarget(ShardCalls.CONFIG, RawDocument.EMPTY));
    }
    if (routing == null) {
      DatabaseRouting database = catalog.database(operation, namespace.database());
      return database == null ? List.of() : List.of(unsharded(database));
    }
    ReadPoint state = operation.readPoint();
    long time = state == null ? RoutingTable.NEWEST : state.timestamp();
    RoutingTable table = routing.at(time).table();
    Set<String> shards =
        filter == null
            ? table.shards(time)
            : new ShardTargeter(table, time).ofFilter(filter).shards();
    return shards.stream().sorted().map(shard -> sharded(routing, shard)).toList();
  }

  private static ReadTarget sharded(CollectionRouting routing, String shard) {
    var versions = new BsonBuilder();
    versions.appendDocument("shardVersion", routing.table().versionOf(shard).toDocument());
    return new ReadTarget(shard, versions.toDocument());
  }

  private static ReadTarget unsharded(DatabaseRouting database) {
    var versions = new BsonBuilder();
    versions.appendDocument("shardVersion", ChunkVersion.UNSHARDED.toDocument());
    versions.appendDocument("databaseVersion", database.version().toDocument());
    return new ReadTarget(database.primaryShard(), versions.toDocument());
  }

  @Override
  public ReadTarget ofDocument(Namespace namespace, RawDocument document) {
    CollectionRouting routing = catalog.collection(namespace);
    return routing == null
        ? unsharded(databases.apply(namespace.database()))
        : sharded(routing, routing.table().shardOf(routing.key().encodedKeyOf(document)));
  }

  @Override
  public String connectionString(String shard) {
    return catalog.shard(shard).connectionString();
  }
}
