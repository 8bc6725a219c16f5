package dev.wisent.cluster.router;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.ApiVersions.V1;
import static dev.wisent.server.command.TransactionUse.ENDS;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onArguments;
import static dev.wisent.server.privilege.Privilege.onCluster;
import static dev.wisent.server.privilege.Privilege.onCollection;
import static dev.wisent.server.privilege.Privilege.onDatabase;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.cluster.catalog.CachedCatalog;
import dev.wisent.cluster.router.Places.Place;
import dev.wisent.cluster.router.diagnostic.AllShards;
import dev.wisent.operation.Namespace;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.privilege.Privilege;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The commands that only routers have. */
final class RouterTable {
  /** What the config servers do, by the client's name for it. */
  private static final Map<String, Privilege> OF_THE_CONFIG_SERVERS = new LinkedHashMap<>();

  static {
    OF_THE_CONFIG_SERVERS.put("addShard", onCluster(Action.ADD_SHARD));
    OF_THE_CONFIG_SERVERS.put("removeShard", onCluster(Action.REMOVE_SHARD));
    OF_THE_CONFIG_SERVERS.put(
        "transitionFromDedicatedConfigServer",
        onCluster(Action.TRANSITION_FROM_DEDICATED_CONFIG_SERVER));
    OF_THE_CONFIG_SERVERS.put(
        "transitionToDedicatedConfigServer",
        onCluster(Action.TRANSITION_TO_DEDICATED_CONFIG_SERVER));
    OF_THE_CONFIG_SERVERS.put("shardCollection", onCollection(Action.ENABLE_SHARDING));
    OF_THE_CONFIG_SERVERS.put(
        "refineCollectionShardKey", onCollection(Action.REFINE_COLLECTION_SHARD_KEY));
    OF_THE_CONFIG_SERVERS.put("reshardCollection", onCollection(Action.RESHARD_COLLECTION));
    OF_THE_CONFIG_SERVERS.put("abortReshardCollection", onCollection(Action.RESHARD_COLLECTION));
    OF_THE_CONFIG_SERVERS.put("commitReshardCollection", onCollection(Action.RESHARD_COLLECTION));
    OF_THE_CONFIG_SERVERS.put("cleanupReshardCollection", onCollection(Action.RESHARD_COLLECTION));
    OF_THE_CONFIG_SERVERS.put("unshardCollection", onCollection(Action.UNSHARD_COLLECTION));
    OF_THE_CONFIG_SERVERS.put("abortUnshardCollection", onCollection(Action.UNSHARD_COLLECTION));
    OF_THE_CONFIG_SERVERS.put("moveCollection", onCollection(Action.MOVE_COLLECTION));
    OF_THE_CONFIG_SERVERS.put("abortMoveCollection", onCollection(Action.MOVE_COLLECTION));
    OF_THE_CONFIG_SERVERS.put("untrackUnshardedCollection", onCollection(Action.ENABLE_SHARDING));
    OF_THE_CONFIG_SERVERS.put("movePrimary", onDatabase(Action.MOVE_CHUNK));
    OF_THE_CONFIG_SERVERS.put("mergeChunks", onCollection(Action.SPLIT_CHUNK));
    OF_THE_CONFIG_SERVERS.put("mergeAllChunksOnShard", onCollection(Action.SPLIT_CHUNK));
    OF_THE_CONFIG_SERVERS.put("addShardToZone", onArguments(Action.ENABLE_SHARDING, Action.UPDATE));
    OF_THE_CONFIG_SERVERS.put(
        "removeShardFromZone", onArguments(Action.ENABLE_SHARDING, Action.UPDATE));
    OF_THE_CONFIG_SERVERS.put(
        "updateZoneKeyRange", onArguments(Action.ENABLE_SHARDING, Action.UPDATE));
    OF_THE_CONFIG_SERVERS.put("balancerStart", onArguments(Action.UPDATE));
    OF_THE_CONFIG_SERVERS.put("balancerStop", onArguments(Action.UPDATE));
    OF_THE_CONFIG_SERVERS.put("balancerStatus", onArguments(Action.FIND));
    OF_THE_CONFIG_SERVERS.put("balancerCollectionStatus", onCollection(Action.ENABLE_SHARDING));
    OF_THE_CONFIG_SERVERS.put("configureCollectionBalancing", onCollection(Action.ENABLE_SHARDING));
    OF_THE_CONFIG_SERVERS.put("setAllowMigrations", onCollection(Action.MOVE_CHUNK));
    OF_THE_CONFIG_SERVERS.put("recreateRangeDeletionTasks", onCollection(Action.MOVE_CHUNK));
  }

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
    var rows = new ArrayList<>(NeedlessCommands.all());
    OF_THE_CONFIG_SERVERS.forEach(
        (name, privilege) -> {
          String there = "_configsvr" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
          rows.add(admin(name, "done by the config servers", privilege, config.command(there)));
        });
    rows.add(
        admin(
            "enableSharding",
            "create a database",
            onDatabase(Action.ENABLE_SHARDING),
            this::enableSharding));
    var moves = new MoveCommands(catalog, calls);
    rows.add(
        admin(
            "moveChunk",
            "move a chunk to another shard",
            onCollection(Action.MOVE_CHUNK),
            moves::moveChunk));
    rows.add(
        admin(
            "moveRange",
            "move a range of keys to another shard",
            onCollection(Action.MOVE_CHUNK),
            moves::moveRange));
    rows.add(
        admin(
            "split",
            "split a chunk",
            onCollection(Action.SPLIT_CHUNK),
            new SplitCommand(catalog, calls)));
    rows.add(
        CommandSpec.of("splitVector", CommandKind.READ, "where a range is split", this::splitVector)
            .scope(
                Set.of(NodeRole.ROUTER),
                NO_API,
                onCollection(Action.SPLIT_VECTOR),
                NO_TRANSACTION));
    rows.add(
        admin(
            "clearJumboFlag",
            "let a chunk be split and moved again",
            onCollection(Action.CLEAR_JUMBO_FLAG),
            new ClearJumboFlagCommand(catalog, calls)));
    rows.add(
        admin(
            "renameCollection",
            "rename a collection",
            onArguments(Action.RENAME_COLLECTION_SAME_DB),
            new RenameCommand(catalog, places, calls, config)));
    rows.add(
        CommandSpec.of(
                "dbStats",
                CommandKind.READ,
                "figures of a database on all shards",
                new DatabaseStatistics(shards))
            .scope(Set.of(NodeRole.ROUTER), NO_API, onDatabase(Action.DB_STATS), NO_TRANSACTION)
            .alias("dbstats"));
    rows.add(admin("listShards", "the shards", onCluster(Action.LIST_SHARDS), cluster::listShards));
    rows.add(
        admin(
            "getShardMap",
            "the hosts of the shards",
            onCluster(Action.GET_SHARD_MAP),
            cluster::shardMap));
    rows.add(
        admin(
            "flushRouterConfig",
            "read metadata again",
            onCluster(Action.FLUSH_ROUTER_CONFIG),
            cluster::flush));
    rows.add(
        admin(
            "getShardVersion",
            "the version of a collection",
            onCollection(Action.GET_SHARD_VERSION),
            cluster::shardVersion));
    rows.add(
        admin(
            "getDatabaseVersion",
            "where a database is",
            onDatabase(Action.GET_DATABASE_VERSION),
            cluster::databaseVersion));
    rows.add(
        CommandSpec.of(
                "checkMetadataConsistency",
                CommandKind.READ,
                "compare metadata with the shards",
                cluster::checkConsistency)
            .scope(
                Set.of(NodeRole.ROUTER),
                NO_API,
                onArguments(Action.CHECK_METADATA_CONSISTENCY),
                NO_TRANSACTION));
    rows.add(
        CommandSpec.of("isdbgrid", CommandKind.ADMIN, "whether this is a router", cluster::isDbGrid)
            .scope(Set.of(NodeRole.ROUTER), NO_API, Privilege.NONE, NO_TRANSACTION));
    rows.add(
        CommandSpec.of(
                "listDatabases",
                CommandKind.READ,
                "the databases of all shards",
                new DatabaseList(shards))
            .scope(
                Set.of(NodeRole.ROUTER),
                V1,
                onCluster(Action.LIST_DATABASES).orOwn(),
                NO_TRANSACTION)
            .onAdmin());
    rows.add(
        CommandSpec.of(
                "dropDatabase",
                CommandKind.DEFINITION,
                "drop a database on all shards",
                this::dropDatabase)
            .scope(Set.of(NodeRole.ROUTER), V1, onDatabase(Action.DROP_DATABASE), NO_TRANSACTION));
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

  private static CommandSpec admin(String name, String help, Privilege privilege, Command command) {
    return CommandSpec.of(name, CommandKind.ADMIN, help, command)
        .scope(Set.of(NodeRole.ROUTER), NO_API, privilege, NO_TRANSACTION)
        .withWriteConcern()
        .onAdmin();
  }

  private void enableSharding(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ArgumentTypes.string(request.pathOfArgument(), request.argument());
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "primaryShard" -> reader.string();
        default -> reader.unknown();
      }
    }
    config.send(
        context.operation(),
        request,
        new BsonBuilder()
            .append("_configsvrCreateDatabase", request.argument())
            .appendBoolean("enableSharding", true),
        reply);
  }

  /** Of a collection that is not sharded; the chunks of others are split. */
  private void splitVector(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace =
        Namespace.parse(ArgumentTypes.string(request.pathOfArgument(), request.argument()));
    if (catalog.collection(context.operation(), namespace) != null) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "can't do command: splitVector on sharded collection");
    }
    Place place = places.ofDatabase(context.operation(), namespace.database(), false);
    var command = new BsonBuilder().append(request.name(), request.argument());
    ArgumentReader own = ArgumentReader.of(request);
    while (own.next()) {
      command.append(own.name(), own.value());
    }
    ShardRequest ask =
        ShardRequest.control(place.shard(), request.database(), command.toDocument());
    ShardReply.appendResult(calls.call(context.operation(), ask), reply);
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
