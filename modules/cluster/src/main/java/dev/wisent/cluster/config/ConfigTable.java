package dev.wisent.cluster.config;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onCluster;

import dev.wisent.cluster.config.ddl.ChunkCommands;
import dev.wisent.cluster.config.ddl.CollectionCommands;
import dev.wisent.cluster.config.ddl.DatabaseCommands;
import dev.wisent.cluster.config.ddl.ShardCollectionCommand;
import dev.wisent.cluster.config.ddl.ShardedCommand;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.Coordinators;
import dev.wisent.cluster.coordinator.PrimaryTerm;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.RunsOn;
import dev.wisent.server.privilege.Action;
import dev.wisent.wire.client.NodeClient;
import java.util.List;
import java.util.Set;

/** The commands that only config servers have: routers send them to the primary. */
final class ConfigTable {
  private final ClusterMetadata metadata;
  private final PrimaryTerm leadership;
  private final ReplicaSet set;
  private final NodeClient nodes;
  private final Coordinators coordinators;

  ConfigTable(
      ClusterMetadata metadata,
      PrimaryTerm leadership,
      ReplicaSet set,
      NodeClient nodes,
      Coordinators coordinators) {
    this.metadata = metadata;
    this.leadership = leadership;
    this.set = set;
    this.nodes = nodes;
    this.coordinators = coordinators;
  }

  List<CommandSpec> rows() {
    var zones = new ZoneCommands(metadata);
    var balancer = new BalancerCommands(metadata, set::term);
    var chunks = new ChunkCommands(metadata);
    var databases = new DatabaseCommands(metadata, coordinators);
    var collections = new CollectionCommands(coordinators);
    return List.of(
        row("_configsvrAddShard", "add a shard", new AddShardCommand(metadata, set, nodes)),
        row("_configsvrRemoveShard", "drain and remove a shard", new RemoveShardCommand(metadata)),
        row("_configsvrCreateDatabase", "create a database", databases::create),
        row(
            "_configsvrCheckMetadataConsistency",
            "compare metadata with the shards",
            databases::checkConsistency),
        row("_configsvrMovePrimary", "change the primary of a database", databases::movePrimary),
        row(
            "_configsvrShardCollection",
            "shard a collection",
            new ShardCollectionCommand(databases, coordinators)),
        row(
            "_configsvrRefineCollectionShardKey",
            "add fields to a shard key",
            collections::refineShardKey),
        row("_configsvrRenameCollection", "rename a collection", collections::rename),
        row("_configsvrDrop", "drop a collection", databases::dropCollection),
        row("_configsvrDropDatabase", "drop a database", databases::dropDatabase),
        row("_configsvrSplit", "split a chunk", chunks::split),
        row("_configsvrMergeChunks", "merge chunks", chunks::merge),
        row("_configsvrMarkJumbo", "a chunk that cannot be split", chunks::markJumbo),
        row("_configsvrClearJumboFlag", "let a chunk be split again", chunks::clearJumboFlag),
        onShards("_configsvrCreateIndexes", "create indexes", "createIndexes"),
        onShards("_configsvrDropIndexes", "drop indexes", "dropIndexes"),
        onShards("_configsvrCollMod", "change a collection", "collMod"),
        row("_configsvrAddShardToZone", "put a shard into a zone", zones::addShard),
        row("_configsvrRemoveShardFromZone", "take a shard out of a zone", zones::removeShard),
        row("_configsvrUpdateZoneKeyRange", "which keys a zone has", zones::updateKeyRange),
        row("_configsvrBalancerStart", "let the balancer run", balancer::start),
        row("_configsvrBalancerStop", "stop the balancer", balancer::stop),
        row("_configsvrBalancerStatus", "whether the balancer runs", balancer::status),
        row(
            "_configsvrSetAllowMigrations",
            "allow or forbid migrations of a collection",
            balancer::setAllowMigrations));
  }

  private CommandSpec onShards(String name, String help, String command) {
    return row(name, help + " of a sharded collection", new ShardedCommand(command, coordinators));
  }

  private CommandSpec row(String name, String help, Command command) {
    Command onPrimary =
        (request, context, reply) -> {
          leadership.await(context.operation());
          command.run(request, context, reply);
        };
    return CommandSpec.of(name, CommandKind.ADMIN, help, onPrimary)
        .scope(Set.of(NodeRole.CONFIG_SERVER), NO_API, onCluster(Action.INTERNAL), NO_TRANSACTION)
        .runsOn(RunsOn.PRIMARY)
        .withWriteConcern()
        .onAdmin();
  }
}
