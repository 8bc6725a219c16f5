package dev.wisent.cluster.router;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.cluster.catalog.CachedCatalog;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.access.UserDirectory;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.CommandTrait;
import dev.wisent.server.operation.RunningOperation;
import java.util.List;
import java.util.Set;

/** Has the primary of the config servers do what a client asks for. */
final class ConfigForwarding {
  /** What concerns the way of a command, and not what it does. */
  private static final Set<String> OF_THE_WAY =
      Set.of(
          "$db",
          "lsid",
          "txnNumber",
          "$clusterTime",
          "$readPreference",
          "writeConcern",
          "readConcern",
          "maxTimeMS",
          "clientOperationKey",
          "apiVersion",
          "apiStrict",
          "apiDeprecationErrors");

  /** Those after which a collection is another one for a router. */
  private static final Set<String> CHANGING_ROUTES =
      Set.of(
          "_configsvrShardCollection",
          "_configsvrRefineCollectionShardKey",
          "_configsvrReshardCollection",
          "_configsvrUnshardCollection",
          "_configsvrMoveCollection",
          "_configsvrUntrackUnshardedCollection",
          "_configsvrDrop");

  /** Those after which there are other shards. */
  private static final Set<String> CHANGING_SHARDS =
      Set.of(
          "_configsvrAddShard",
          "_configsvrRemoveShard",
          "_configsvrTransitionFromDedicatedConfigServer",
          "_configsvrTransitionToDedicatedConfigServer");

  /** Of the commands for users, what concerns the router itself. */
  private static final String OF_ROUTER = "invalidateUserCache";

  private final ShardCalls calls;
  private final CachedCatalog catalog;

  ConfigForwarding(ShardCalls calls, CachedCatalog catalog) {
    this.calls = calls;
    this.catalog = catalog;
  }

  /** A command that is the same with another name. */
  Command command(String name) {
    return (request, context, reply) -> {
      var command = new BsonBuilder();
      command.append(name, request.argument());
      try {
        send(context.operation(), request, command, reply);
      } finally {
        forget(name, request.argument().isString() ? request.argument().asString() : "");
      }
    };
  }

  /**
   * The rows of a router for those of a node that concern users and roles: those of the cluster are
   * on the config servers.
   *
   * @param users as this router knows them
   */
  List<CommandSpec> ofUsers(List<CommandSpec> ofNode, UserDirectory users) {
    return ofNode.stream()
        .map(row -> row.name().equals(OF_ROUTER) ? row : row.running(forwarded(row, users)))
        .toList();
  }

  private Command forwarded(CommandSpec row, UserDirectory users) {
    boolean writes = row.is(CommandTrait.WRITE_CONCERN);
    return (request, context, reply) -> {
      try {
        ShardReply.appendResult(calls.call(context.operation(), same(request, writes)), reply);
      } finally {
        if (writes) {
          users.invalidate();
        }
      }
    };
  }

  /** The same command for the same database. */
  private static ShardRequest same(CommandRequest request, boolean writes) {
    var command = new BsonBuilder();
    command.append(request.name(), request.argument());
    appendArguments(request, command);
    if (!writes) {
      return ShardRequest.read(ShardCalls.CONFIG, request.database(), command.toDocument());
    }
    RawDocument concern = request.writeConcern();
    if (concern == null || concern.isEmpty()) {
      command.startDocument("writeConcern").appendString("w", "majority").end();
    } else {
      command.appendDocument("writeConcern", concern);
    }
    return ShardRequest.control(ShardCalls.CONFIG, request.database(), command.toDocument());
  }

  private static void appendArguments(CommandRequest request, BsonBuilder command) {
    ElementCursor fields = request.body().elements();
    for (boolean first = true; fields.next(); first = false) {
      if (!first && !OF_THE_WAY.contains(fields.name())) {
        command.appendElement(fields);
      }
    }
  }

  /** A command of a client for a collection, by the collection's full name. */
  void forward(RunningOperation operation, String name, String namespace, BsonBuilder reply) {
    var command = new BsonBuilder();
    command.appendString(name, namespace);
    try {
      send(operation.context(), operation.request(), command, reply);
    } finally {
      forget(name, namespace);
    }
  }

  /** Also where it fails: the config servers may finish what they have begun. */
  private void forget(String name, String namespace) {
    if (CHANGING_SHARDS.contains(name)) {
      catalog.refreshShards();
    }
    int dot = namespace.indexOf('.');
    if (CHANGING_ROUTES.contains(name)
        && dot > 0
        && Namespace.isValid(namespace.substring(0, dot), namespace.substring(dot + 1))) {
      catalog.flushCollection(Namespace.parse(namespace));
    }
  }

  void send(
      OperationContext operation, CommandRequest request, BsonBuilder command, BsonBuilder reply) {
    appendArguments(request, command);
    ShardReply.appendResult(calls.call(operation, ShardRequest.configChange(command)), reply);
  }
}
