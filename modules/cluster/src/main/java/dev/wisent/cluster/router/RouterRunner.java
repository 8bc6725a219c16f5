package dev.wisent.cluster.router;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.dispatch.CommandRunner;
import dev.wisent.server.operation.RunningOperation;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.DatabaseRouting;
import dev.wisent.sharding.RoutingCatalog;
import java.util.Set;

/**
 * Runs commands on a router: those about the router itself here, those about one shard there, and
 * the others by the command that all roles have, over {@link RouterOperations}.
 */
final class RouterRunner implements CommandRunner {
  /** Commands whose argument is a collection. */
  private static final Set<String> OF_COLLECTIONS =
      Set.of(
          "find",
          "aggregate",
          "count",
          "distinct",
          "insert",
          "update",
          "delete",
          "findAndModify",
          "mapReduce",
          "create",
          "createIndexes",
          "dropIndexes",
          "drop",
          "collMod",
          "listIndexes",
          "collStats",
          "validate",
          "convertToCapped",
          "planCacheClear",
          "planCacheSetFilter",
          "planCacheListFilters",
          "planCacheClearFilters");

  /** Of sharded collections: by the command that all roles have. */
  private static final Set<String> SHARED =
      Set.of(
          "find", "aggregate", "count", "distinct", "insert", "update", "delete", "findAndModify");

  /** Of sharded collections: by a coordinator on the config servers. */
  private static final Set<String> COORDINATED =
      Set.of("createIndexes", "dropIndexes", "drop", "collMod");

  private static final Set<String> CREATING = Set.of("create", "createIndexes");

  private static final Set<String> PROTECTED = Set.of("chunks", "shards", "databases");

  private final RoutingCatalog catalog;
  private final RouterDatabases databases;
  private final NodeShardCalls calls;
  private final Forwarding forwarding;
  private final StaleRetry stale;
  private final RouterTimes times;

  RouterRunner(
      RoutingCatalog catalog,
      RouterDatabases databases,
      NodeShardCalls calls,
      Forwarding forwarding,
      RouterTimes times) {
    this.catalog = catalog;
    this.databases = databases;
    this.calls = calls;
    this.forwarding = forwarding;
    this.stale = new StaleRetry(catalog);
    this.times = times;
  }

  @Override
  public boolean takesTransactionNumbers() {
    return true;
  }

  @Override
  public CommandRequest named(CommandRequest request, CommandSpec spec) {
    return request;
  }

  @Override
  public void run(RunningOperation operation, BsonBuilder reply) {
    CommandRequest request = operation.request();
    RoutedOperation.attach(operation.context(), request);
    if (request.clusterTime() != null) {
      times.received(request.clusterTime());
    }
    if (request.database().equals("local")) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "Can't use 'local' database through mongos");
    }
    if (request.isInTransaction()) {
      throw new CommandException(
          ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION,
          "Transactions through a router are not supported yet");
    }
    int start = reply.position();
    stale.run(
        operation.context(),
        () -> {
          reply.truncateToOutermost(start);
          route(operation, reply);
          return null;
        });
  }

  private void route(RunningOperation operation, BsonBuilder reply) {
    CommandRequest request = operation.request();
    String name = operation.spec().name();
    if (OF_COLLECTIONS.contains(name) && request.argument().isString()) {
      collection(
          operation, new Namespace(request.database(), request.argument().asString()), reply);
    } else if (name.equals("listCollections") || name.equals("dbStats")) {
      unsharded(operation, request.database(), false, reply);
    } else if (name.equals("dropDatabase")) {
      config(operation, RawValue.ofString(request.database()), reply);
    } else {
      runHere(operation, reply);
    }
  }

  private static void runHere(RunningOperation operation, BsonBuilder reply) {
    var context = new CommandContext(operation.client(), operation.context());
    operation.spec().command().run(operation.request(), context, reply);
    RawDocument unfulfilled = RoutedOperation.of(operation.context()).writeConcernError();
    if (unfulfilled != null) {
      reply.appendDocument("writeConcernError", unfulfilled);
    }
  }

  private void collection(RunningOperation operation, Namespace namespace, BsonBuilder reply) {
    String name = operation.spec().name();
    if (isOfConfigServers(namespace.database())) {
      checkProtected(operation, namespace);
      forwarding.run(operation, ShardCalls.CONFIG, RawDocument.EMPTY, reply);
    } else if (catalog.collection(namespace) == null) {
      if (name.equals("aggregate") && Pipelines.joins(operation.request().body())) {
        runHere(operation, reply);
      } else {
        boolean creates =
            operation.spec().kind() == CommandKind.WRITE
                || CREATING.contains(name)
                || name.equals("mapReduce");
        unsharded(operation, namespace.database(), creates, reply);
      }
    } else if (SHARED.contains(name)) {
      runHere(operation, reply);
    } else if (COORDINATED.contains(name)) {
      config(operation, RawValue.ofString(namespace.full()), reply);
    } else {
      throw new CommandException(
          ErrorCode.NOT_IMPLEMENTED,
          name + " of a sharded collection is not supported yet through a router");
    }
  }

  private static boolean isOfConfigServers(String database) {
    return database.equals("config") || database.equals("admin");
  }

  private static void checkProtected(RunningOperation operation, Namespace namespace) {
    boolean reads = operation.spec().kind() == CommandKind.READ;
    if (!reads
        && namespace.database().equals("config")
        && PROTECTED.contains(namespace.collection())) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          namespace + " cannot be changed directly: use the commands of the cluster");
    }
  }

  /** A database that does not exist is read at the config servers, which have none of its name. */
  private void unsharded(
      RunningOperation operation, String database, boolean creates, BsonBuilder reply) {
    DatabaseRouting routing = creates ? databases.required(database) : catalog.database(database);
    if (routing == null || isOfConfigServers(database)) {
      forwarding.run(operation, ShardCalls.CONFIG, RawDocument.EMPTY, reply);
      return;
    }
    var versions = new BsonBuilder();
    versions.appendDocument("shardVersion", ChunkVersion.UNSHARDED.toDocument());
    versions.appendDocument("databaseVersion", routing.version().toDocument());
    forwarding.run(operation, routing.primaryShard(), versions.toDocument(), reply);
  }

  private void config(RunningOperation operation, RawValue argument, BsonBuilder reply) {
    RawDocument answer =
        calls.call(
            operation.context(),
            ShardRequest.control(
                ShardCalls.CONFIG,
                "admin",
                configCommand(operation.spec().name(), argument, operation.request())));
    ElementCursor fields = answer.elements();
    while (fields.next()) {
      if (!fields.name().equals("ok") && !isEnvelope(fields.name())) {
        reply.appendElement(fields);
      }
    }
  }

  private static boolean isEnvelope(String field) {
    return field.equals("$clusterTime")
        || field.equals("operationTime")
        || field.equals("topologyVersion");
  }

  /** The client's command under the name that config servers have for it. */
  static RawDocument configCommand(String name, RawValue argument, CommandRequest request) {
    var out = new BsonBuilder();
    out.append("_configsvr" + Character.toUpperCase(name.charAt(0)) + name.substring(1), argument);
    ElementCursor fields = request.commandDocument().elements();
    fields.next();
    while (fields.next()) {
      switch (fields.name()) {
        case "$db", "writeConcern", "maxTimeMS", "readConcern" -> {}
        default -> out.appendElement(fields);
      }
    }
    out.startDocument("writeConcern").appendString("w", "majority").end();
    return out.toDocument();
  }

  @Override
  public void stateChanged(int errorCode, BsonBuilder reply) {}

  @Override
  public void end(OperationContext operation, int errorCode, BsonBuilder reply) {
    times.appendTo(reply);
    if (operation != null && operation.lastWriteTime() != 0) {
      reply.appendTimestamp("operationTime", operation.lastWriteTime());
    }
  }

  @Override
  public CommandException faultOf(RuntimeException thrown) {
    return null;
  }
}
