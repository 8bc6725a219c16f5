package dev.wisent.cluster.router;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.cluster.catalog.CachedCatalog;
import dev.wisent.operation.ListCursor;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.QueryContexts;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.server.HostNames;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.cursor.CursorArgument;
import dev.wisent.server.command.cursor.CursorReply;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.ConnectionString;
import dev.wisent.sharding.DatabaseRouting;
import dev.wisent.sharding.ShardInfo;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.HostDescription;
import dev.wisent.wire.client.SetDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The commands that show what a router knows of its cluster. */
final class ClusterCommands {
  private static final String ADMIN = "admin";

  private final CachedCatalog catalog;
  private final ShardCalls calls;
  private final Supplier<SetDescription> configServers;
  private final CursorRegistry cursors;

  ClusterCommands(
      CachedCatalog catalog,
      ShardCalls calls,
      Supplier<SetDescription> configServers,
      CursorRegistry cursors) {
    this.catalog = catalog;
    this.calls = calls;
    this.configServers = configServers;
    this.cursors = cursors;
  }

  void listShards(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawDocument filter = RawDocument.EMPTY;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "filter" -> filter = reader.document();
        default -> reader.unknown();
      }
    }
    MatchExpression wanted = MatchParser.parse(filter, QueryContexts.of(context.operation()));
    catalog.refreshShards();
    reply.startArray("shards");
    int index = 0;
    for (ShardInfo shard : catalog.shards(context.operation())) {
      RawDocument document = shard.toDocument();
      if (wanted.matches(document)) {
        reply.appendDocument(index++, document);
      }
    }
    reply.end();
  }

  /** {@code getShardMap}: the sets, their hosts, and both ways to find them. */
  void shardMap(CommandRequest request, CommandContext context, BsonBuilder reply) {
    var hosts = new BsonBuilder();
    var connectionStrings = new BsonBuilder();
    SetDescription config = configServers.get();
    List<HostAndPort> members = config.hosts().stream().map(HostDescription::host).toList();
    String ofConfig = ConnectionString.of(config.setName(), members);
    reply.startDocument("map").appendString(ShardCalls.CONFIG, ofConfig);
    connectionStrings.appendString(ofConfig, ShardCalls.CONFIG);
    members.forEach(host -> hosts.appendString(host.toString(), ShardCalls.CONFIG));
    for (ShardInfo shard : catalog.shards(context.operation())) {
      if (shard.name().equals(ShardCalls.CONFIG)) {
        continue;
      }
      reply.appendString(shard.name(), shard.connectionString());
      connectionStrings.appendString(shard.connectionString(), shard.name());
      shard.seeds().forEach(host -> hosts.appendString(host.toString(), shard.name()));
    }
    reply.end();
    reply.appendDocument("hosts", hosts.toDocument());
    reply.appendDocument("connStrings", connectionStrings.toDocument());
  }

  /** {@code flushRouterConfig}, of everything, a database or a collection. */
  void flush(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String name = request.argument().isString() ? request.argument().asString() : "";
    if (name.isEmpty()) {
      catalog.flush();
    } else if (name.contains(".")) {
      catalog.flushCollection(Namespace.parse(name));
    } else {
      catalog.flushDatabase(name);
    }
    reply.appendBoolean("flushed", true);
  }

  void isDbGrid(CommandRequest request, CommandContext context, BsonBuilder reply) {
    reply.appendInt32("isdbgrid", 1).appendString("hostname", HostNames.local());
  }

  /** {@code getShardVersion}, of a sharded collection or of a database. */
  void shardVersion(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String name = ArgumentTypes.string(request.name(), request.argument());
    boolean full = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "fullMetadata" -> full = reader.bool();
        default -> reader.unknown();
      }
    }
    if (!name.contains(".")) {
      DatabaseRouting database = database(name, context);
      reply.appendString("primaryShard", database.primaryShard());
      reply.appendDocument("version", database.version().toDocument());
      return;
    }
    Namespace namespace = Namespace.parse(name);
    CollectionRouting collection = catalog.collection(context.operation(), namespace);
    if (collection == null) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_SHARDED, "Collection " + name + " is not sharded.");
    }
    reply.appendTimestamp("version", collection.table().version().combined());
    reply.appendObjectId("versionEpoch", collection.table().version().epoch());
    reply.appendTimestamp("versionTimestamp", collection.table().version().timestamp());
    if (full) {
      appendChunks(collection, reply);
    }
  }

  private static void appendChunks(CollectionRouting collection, BsonBuilder reply) {
    reply.startArray("chunks");
    int[] index = {0};
    collection
        .table()
        .forEach(
            chunk -> {
              reply.startArray(index[0]++);
              reply.appendDocument(0, chunk.range().min());
              reply.appendDocument(1, chunk.range().max());
              reply.end();
            });
    reply.end();
  }

  /** {@code getDatabaseVersion}. */
  void databaseVersion(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String name = ArgumentTypes.string(request.name(), request.argument());
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
    DatabaseRouting database = database(name, context);
    reply.appendString("primaryShard", database.primaryShard());
    reply.appendDocument("dbVersion", database.version().toDocument());
  }

  private DatabaseRouting database(String name, CommandContext context) {
    DatabaseRouting database = catalog.database(context.operation(), name);
    if (database == null) {
      throw new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, "database " + name + " not found");
    }
    return database;
  }

  /** {@code checkMetadataConsistency}, of the cluster, a database or a collection. */
  void checkConsistency(CommandRequest request, CommandContext context, BsonBuilder reply) {
    boolean indexes = false;
    long batchSize = Limits.FIRST_BATCH_DEFAULT;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "checkIndexes" -> indexes = reader.bool();
        case "cursor" -> batchSize = CursorArgument.batchSize(reader);
        // Databases are not locked.
        case "dbMetadataLockMaxTimeMS" -> reader.nonNegative();
        default -> reader.unknown();
      }
    }
    boolean ofCollection = request.argument().isString();
    Namespace namespace =
        new Namespace(
            request.database(), ofCollection ? request.argument().asString() : "$cmd.aggregate");
    String checked =
        ofCollection
            ? namespace.full()
            : request.database().equals(ADMIN) ? "" : request.database();
    var command = new BsonBuilder().appendString("_configsvrCheckMetadataConsistency", checked);
    command.appendBoolean("checkIndexes", indexes);
    RawDocument answer = calls.call(context.operation(), ShardRequest.configChange(command));
    var found = new ArrayList<RawDocument>();
    for (ElementCursor each = answer.get("inconsistencies").elements(); each.next(); ) {
      found.add(each.value().asDocument().detached());
    }
    new CursorReply(cursors, request)
        .first(new ListCursor(found), batchSize, false, false)
        .write(namespace, reply);
  }
}
