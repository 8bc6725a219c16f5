package dev.wisent.cluster.router.stream;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.cluster.call.StaleRetry;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.DatabaseRouting;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.sharding.ShardTargeter;
import java.util.UUID;

/** Finds the newest versions of documents, wherever they are now. Thread-safe. */
final class CurrentVersions {
  private static final RawDocument SIMPLE =
      new BsonBuilder().appendString("locale", "simple").toDocument();

  private final ShardCalls calls;
  private final RoutingCatalog catalog;
  private final StaleRetry stale;

  CurrentVersions(ShardCalls calls, RoutingCatalog catalog) {
    this.calls = calls;
    this.catalog = catalog;
    this.stale = new StaleRetry(catalog);
  }

  /**
   * @param uuid of the collection; one of the same name that has another is not read
   * @param key the document's shard key and {@code _id}
   * @param clusterTime of the change that the version is not older than
   * @return null if there is no such document
   */
  RawDocument find(
      OperationContext operation,
      Namespace namespace,
      UUID uuid,
      RawDocument key,
      long clusterTime) {
    RawDocument filter = filter(key);
    var command = new BsonBuilder().appendString("find", namespace.collection());
    command.appendDocument("filter", filter).appendInt32("limit", 1);
    command.appendBoolean("singleBatch", true).appendDocument("collation", SIMPLE);
    if (uuid != null) {
      command.appendUuid("collectionUUID", uuid);
    }
    command.startDocument("readConcern").appendString("level", "majority");
    command.appendTimestamp("afterClusterTime", clusterTime).end();
    RawDocument find = command.toDocument();
    try {
      return stale.run(operation, () -> find(operation, namespace, filter, find));
    } catch (CommandException e) {
      if (e.code() == ErrorCode.COLLECTION_UUID_MISMATCH) {
        return null;
      }
      throw e;
    }
  }

  private static RawDocument filter(RawDocument key) {
    var filter = new BsonBuilder();
    ElementCursor fields = key.elements();
    while (fields.next()) {
      filter.startDocument(fields.name()).append("$eq", fields.value()).end();
    }
    return filter.toDocument();
  }

  private RawDocument find(
      OperationContext operation, Namespace namespace, RawDocument filter, RawDocument find) {
    CollectionRouting collection = catalog.collection(operation, namespace);
    if (collection == null) {
      DatabaseRouting database = catalog.database(operation, namespace.database());
      if (database == null) {
        return null;
      }
      var versions = new BsonBuilder();
      versions.appendDocument("shardVersion", ChunkVersion.UNSHARDED.toDocument());
      versions.appendDocument("databaseVersion", database.version().toDocument());
      return ask(operation, database.primaryShard(), namespace, find, versions);
    }
    var targets =
        new ShardTargeter(collection.table()).ofFilter(filter, QueryContexts.of(operation));
    for (String shard : targets.shards().stream().sorted().toList()) {
      var versions = new BsonBuilder();
      versions.appendDocument("shardVersion", collection.table().versionOf(shard).toDocument());
      RawDocument found = ask(operation, shard, namespace, find, versions);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private RawDocument ask(
      OperationContext operation,
      String shard,
      Namespace namespace,
      RawDocument find,
      BsonBuilder versions) {
    var command = new BsonBuilder(find.length() + 256);
    command.appendAll(find).appendAll(versions.toDocument());
    RawDocument reply =
        calls.call(operation, ShardRequest.read(shard, namespace.database(), command.toDocument()));
    ElementCursor found = reply.get("cursor").asDocument().get("firstBatch").elements();
    return found.next() ? found.value().asDocument() : null;
  }
}
