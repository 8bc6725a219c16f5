package dev.wisent.cluster.router;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.ApiVersions.V1;
import static dev.wisent.server.command.CommandKind.ADMIN;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onCluster;

import dev.wisent.base.log.Log;
import dev.wisent.base.log.LogComponent;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.HostNames;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.diagnostic.HelloCommand;
import dev.wisent.server.privilege.Action;
import dev.wisent.server.privilege.Privilege;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The commands that only a router has, or answers in its own way. */
final class RouterTable {
  private static final Set<NodeRole> ROUTER = Set.of(NodeRole.ROUTER);

  /** Sent to the config servers under their own name. */
  private static final List<String> OF_CONFIG_SERVERS =
      List.of(
          "addShard",
          "removeShard",
          "shardCollection",
          "refineCollectionShardKey",
          "movePrimary",
          "mergeChunks",
          "clearJumboFlag",
          "addShardToZone",
          "removeShardFromZone",
          "updateZoneKeyRange",
          "balancerStart",
          "balancerStop",
          "balancerStatus",
          "setAllowMigrations");

  private static final Set<String> OF_EVERY_REPLY =
      Set.of("ok", "$clusterTime", "operationTime", "topologyVersion");

  private final ShardCalls calls;

  RouterTable(ShardCalls calls) {
    this.calls = calls;
  }

  List<CommandSpec> rows(ServerServices services) {
    var rows = new ArrayList<CommandSpec>();
    rows.add(
        CommandSpec.of("hello", ADMIN, "what the server is", hello(services, true))
            .scope(ROUTER, V1, Privilege.NONE, NO_TRANSACTION));
    rows.add(
        CommandSpec.of("isMaster", ADMIN, "what the server is", hello(services, false))
            .scope(ROUTER, NO_API, Privilege.NONE, NO_TRANSACTION)
            .alias("ismaster"));
    rows.add(
        CommandSpec.of("isdbgrid", ADMIN, "whether this is a router", RouterTable::isRouter)
            .scope(ROUTER, NO_API, Privilege.NONE, NO_TRANSACTION));
    for (String name : OF_CONFIG_SERVERS) {
      rows.add(config(name, command(name)));
    }
    rows.add(config("enableSharding", command("createDatabase")));
    return rows;
  }

  private static CommandSpec config(String name, Command command) {
    return CommandSpec.of(name, ADMIN, "done by the config servers", command)
        .scope(ROUTER, NO_API, onCluster(Action.INTERNAL), NO_TRANSACTION)
        .withWriteConcern()
        .onAdmin();
  }

  private static Command hello(ServerServices services, boolean modern) {
    Log network = services.log().of(LogComponent.NETWORK);
    var hello =
        new HelloCommand(services.topology(), Optional.empty(), ClusterRole.NONE, network, modern);
    return (request, context, reply) -> {
      hello.run(request, context, reply);
      reply.appendString("msg", "isdbgrid");
    };
  }

  private static void isRouter(CommandRequest request, CommandContext context, BsonBuilder reply) {
    reply.appendInt32("isdbgrid", 1).appendString("hostname", HostNames.local());
  }

  private Command command(String name) {
    return (request, context, reply) -> {
      RawDocument answer =
          calls.call(
              context.operation(),
              ShardRequest.control(
                  ShardCalls.CONFIG,
                  "admin",
                  RouterRunner.configCommand(name, request.argument(), request)));
      ElementCursor fields = answer.elements();
      while (fields.next()) {
        if (!OF_EVERY_REPLY.contains(fields.name())) {
          reply.appendElement(fields);
        }
      }
    };
  }
}
