package dev.wisent.cluster.router;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.ApiVersions.V1;
import static dev.wisent.server.command.TransactionUse.ENDS;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onCluster;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.catalog.CachedCatalog;
import dev.wisent.cluster.router.diagnostic.AllShards;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.privilege.Action;
import dev.wisent.server.privilege.Privilege;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The commands that only routers have. */
final class RouterTable {
  /** What the config servers do, by the client's name for it. */
  private static final List<String> OF_THE_CONFIG_SERVERS =
      List.of(
          "addShard",
          "removeShard",
          "shardCollection",
          "refineCollectionShardKey",
          "movePrimary",
          "mergeChunks",
          "addShardToZone",
          "removeShardFromZone",
          "updateZoneKeyRange",
          "balancerStart",
          "balancerStop",
          "balancerStatus",
          "setAllowMigrations");

  private final CachedCatalog catalog;
  private final ConfigForwarding config;
  private final ShardCalls calls;
  private final Places places;
  private final AllShards shards;
  private final ClusterCommands cluster;
  private final TransactionEnd transactionEnd;

  RouterTable(
      CachedCatalog catalog,
      ConfigForwarding config,
      ShardCalls calls,
      Places places,
      AllShards shards,
      ClusterCommands cluster,
      TransactionEnd transactionEnd) {
    this.catalog = catalog;
    this.config = config;
    this.calls = calls;
    this.places = places;
    this.shards = shards;
    this.cluster = cluster;
    this.transactionEnd = transactionEnd;
  }

  List<CommandSpec> rows() {
    var rows = new ArrayList<CommandSpec>();
    for (String name : OF_THE_CONFIG_SERVERS) {
      String there = "_configsvr" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
      rows.add(admin(name, "done by the config servers", config.command(there)));
    }
    rows.add(admin("enableSharding", "create a database", this::enableSharding));
    rows.add(admin("split", "split a chunk", new SplitCommand(catalog, calls)));
    rows.add(
        admin(
            "clearJumboFlag",
            "let a chunk be split and moved again",
            new ClearJumboFlagCommand(catalog, calls)));
    rows.add(
        admin(
            "renameCollection",
            "rename a collection",
            new RenameCommand(catalog, places, calls, config)));
    rows.add(
        CommandSpec.of(
                "dbStats",
                CommandKind.READ,
                "figures of a database on all shards",
                new DatabaseStatistics(shards))
            .scope(Set.of(NodeRole.ROUTER), NO_API, onCluster(Action.DB_STATS), NO_TRANSACTION)
            .alias("dbstats"));
    rows.add(admin("listShards", "the shards", cluster::listShards));
    rows.add(admin("getShardMap", "the hosts of the shards", cluster::shardMap));
    rows.add(admin("flushRouterConfig", "read metadata again", cluster::flush));
    rows.add(admin("getShardVersion", "the version of a collection", cluster::shardVersion));
    rows.add(admin("getDatabaseVersion", "where a database is", cluster::databaseVersion));
    rows.add(
        CommandSpec.of(
                "checkMetadataConsistency",
                CommandKind.READ,
                "compare metadata with the shards",
                cluster::checkConsistency)
            .scope(Set.of(NodeRole.ROUTER), NO_API, onCluster(Action.INTERNAL), NO_TRANSACTION));
    rows.add(
        CommandSpec.of("isdbgrid", CommandKind.ADMIN, "whether this is a router", cluster::isDbGrid)
            .scope(Set.of(NodeRole.ROUTER), NO_API, onCluster(Action.INTERNAL), NO_TRANSACTION));
    rows.add(
        CommandSpec.of(
                "listDatabases",
                CommandKind.READ,
                "the databases of all shards",
                new DatabaseList(shards))
            .scope(Set.of(NodeRole.ROUTER), V1, onCluster(Action.LIST_DATABASES), NO_TRANSACTION)
            .onAdmin());
    rows.add(
        CommandSpec.of(
                "dropDatabase",
                CommandKind.DEFINITION,
                "drop a database on all shards",
                this::dropDatabase)
            .scope(Set.of(NodeRole.ROUTER), V1, onCluster(Action.DROP_DATABASE), NO_TRANSACTION));
    rows.add(transactionEnd("commitTransaction", "commit a transaction", transactionEnd::commit));
    rows.add(transactionEnd("abortTransaction", "take a transaction back", transactionEnd::abort));
    return rows;
  }

  private static CommandSpec transactionEnd(String name, String help, Command command) {
    return CommandSpec.of(name, CommandKind.ADMIN, help, command)
        .scope(Set.of(NodeRole.ROUTER), V1, Privilege.LOGIN, ENDS)
        .withWriteConcern()
        .onAdmin();
  }

  private static CommandSpec admin(String name, String help, Command command) {
    return CommandSpec.of(name, CommandKind.ADMIN, help, command)
        .scope(Set.of(NodeRole.ROUTER), NO_API, onCluster(Action.INTERNAL), NO_TRANSACTION)
        .withWriteConcern()
        .onAdmin();
  }

  private void enableSharding(CommandRequest request, CommandContext context, BsonBuilder reply) {
    config.send(
        context.operation(),
        request,
        new BsonBuilder()
            .append("_configsvrCreateDatabase", request.argument())
            .appendBoolean("enableSharding", true),
        reply);
  }

  private void dropDatabase(CommandRequest request, CommandContext context, BsonBuilder reply) {
    config.send(
        context.operation(),
        request,
        new BsonBuilder().appendString("_configsvrDropDatabase", request.database()),
        reply);
    catalog.flushDatabase(request.database());
  }
}
