package dev.wisent.cluster.config;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onCluster;

import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.balancer.Balancer;
import dev.wisent.cluster.config.balancer.BalancerCommands;
import dev.wisent.cluster.config.balancer.ChunkMerges;
import dev.wisent.cluster.config.balancer.CollectionBalancingCommands;
import dev.wisent.cluster.config.balancer.GrowingEnds;
import dev.wisent.cluster.config.ddl.ChunkCommands;
import dev.wisent.cluster.config.ddl.CollectionCommands;
import dev.wisent.cluster.config.ddl.DatabaseCommands;
import dev.wisent.cluster.config.ddl.MergeAllChunksCommand;
import dev.wisent.cluster.config.ddl.ReshardCommands;
import dev.wisent.cluster.config.ddl.ShardCollectionCommand;
import dev.wisent.cluster.config.ddl.ShardedCommand;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.metadata.KeptOutcomes;
import dev.wisent.cluster.config.migration.MoveRangeCommand;
import dev.wisent.cluster.coordinator.Coordinators;
import dev.wisent.cluster.coordinator.PrimaryTerm;
import dev.wisent.cluster.coordinator.RunOutcome;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.RunsOn;
import dev.wisent.wire.client.NodeClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The commands that only config servers have: routers send them to the primary. */
final class ConfigTable {
  /** Those after which the balancer may have something to do. */
  private static final Set<String> CHANGING_BALANCE =
      Set.of(
          "_configsvrAddShard",
          "_configsvrRemoveShard",
          "_configsvrTransitionFromDedicatedConfigServer",
          "_configsvrTransitionToDedicatedConfigServer",
          "_configsvrAddShardToZone",
          "_configsvrRemoveShardFromZone",
          "_configsvrUpdateZoneKeyRange",
          "_configsvrConfigureCollectionBalancing",
          "_configsvrSetAllowMigrations");

  private final ClusterMetadata metadata;
  private final PrimaryTerm leadership;
  private final ReplicaSet set;
  private final ConfigShard own;
  private final NodeClient nodes;
  private final Coordinators coordinators;
  private final Balancer balancer;
  private final GrowingEnds ends;
  private final ChunkMerges merges;

  ConfigTable(
      ClusterMetadata metadata,
      PrimaryTerm leadership,
      ReplicaSet set,
      ConfigShard own,
      NodeClient nodes,
      Coordinators coordinators,
      Balancer balancer,
      GrowingEnds ends,
      ChunkMerges merges) {
    this.metadata = metadata;
    this.leadership = leadership;
    this.set = set;
    this.own = own;
    this.nodes = nodes;
    this.coordinators = coordinators;
    this.balancer = balancer;
    this.ends = ends;
    this.merges = merges;
  }

  List<CommandSpec> rows() {
    var zones = new ZoneCommands(metadata);
    var balancing = new BalancerCommands(metadata, balancer, set::term);
    var collectionBalancing = new CollectionBalancingCommands(metadata);
    var chunks = new ChunkCommands(metadata, ends);
    var databases = new DatabaseCommands(metadata, coordinators);
    var collections = new CollectionCommands(coordinators);
    var transitions = new TransitionCommands(metadata, coordinators, own);
    var rows = new ArrayList<>(reshardRows());
    Collections.addAll(
        rows,
        row("_configsvrAddShard", "add a shard", new AddShardCommand(metadata, own, nodes)),
        once("_configsvrRemoveShard", "drain and remove a shard", new RemoveShardCommand(metadata)),
        row(
            "_configsvrTransitionFromDedicatedConfigServer",
            "make the config servers a shard",
            transitions::fromDedicated),
        once(
            "_configsvrTransitionToDedicatedConfigServer",
            "drain the config servers and end that they are a shard",
            transitions::toDedicated),
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
        row(
            "_configsvrRecreateRangeDeletionTasks",
            "delete what shards do not own of a collection",
            collections::recreateDeletions),
        row("_configsvrRenameCollection", "rename a collection", collections::rename),
        row("_configsvrDrop", "drop a collection", databases::dropCollection),
        row("_configsvrDropDatabase", "drop a database", databases::dropDatabase),
        once("_configsvrSplit", "split a chunk", chunks::split),
        once("_configsvrMergeChunks", "merge chunks", chunks::merge),
        row(
            "_configsvrMergeAllChunksOnShard",
            "merge all neighbours that a shard has",
            new MergeAllChunksCommand(metadata, merges)),
        once("_configsvrMarkJumbo", "a chunk that cannot be split", chunks::markJumbo),
        once("_configsvrClearJumboFlag", "let a chunk be split again", chunks::clearJumboFlag),
        row(
            "_configsvrMoveRange",
            "move a range to another shard",
            new MoveRangeCommand(metadata, coordinators)),
        onShards("_configsvrCreateIndexes", "create indexes", "createIndexes"),
        onShards("_configsvrDropIndexes", "drop indexes", "dropIndexes"),
        onShards("_configsvrCollMod", "change a collection", "collMod"),
        row("_configsvrAddShardToZone", "put a shard into a zone", zones::addShard),
        row("_configsvrRemoveShardFromZone", "take a shard out of a zone", zones::removeShard),
        row("_configsvrUpdateZoneKeyRange", "which keys a zone has", zones::updateKeyRange),
        row("_configsvrBalancerStart", "let the balancer run", balancing::start),
        row("_configsvrBalancerStop", "stop the balancer", balancing::stop),
        row("_configsvrBalancerStatus", "whether the balancer runs", balancing::status),
        row(
            "_configsvrBalancerCollectionStatus",
            "whether a collection is balanced",
            balancing::collectionStatus),
        row(
            "_configsvrConfigureCollectionBalancing",
            "the size of chunks and the balancing of a collection",
            collectionBalancing::configureCollection),
        row(
            "_configsvrSetAllowMigrations",
            "allow or forbid migrations of a collection",
            collectionBalancing::setAllowMigrations));
    return rows;
  }

  private List<CommandSpec> reshardRows() {
    var reshardings = new ReshardCommands(coordinators);
    return List.of(
        row("_configsvrReshardCollection", "change a shard key", reshardings::reshard),
        row("_configsvrUnshardCollection", "undo sharding", reshardings::unshard),
        row("_configsvrMoveCollection", "move an unsharded collection", reshardings::move),
        row(
            "_configsvrUntrackUnshardedCollection",
            "forget where an unsharded collection is",
            reshardings::untrack),
        row(
            "_configsvrAbortReshardCollection",
            "keep a shard key",
            reshardings.abort("reshardCollection")),
        row(
            "_configsvrAbortUnshardCollection",
            "keep a collection sharded",
            reshardings.abort("unshardCollection")),
        row(
            "_configsvrAbortMoveCollection",
            "leave a collection where it is",
            reshardings.abort("moveCollection")),
        row("_configsvrCommitReshardCollection", "wait for the end", reshardings::commit),
        row("_configsvrCleanupReshardCollection", "make sure of the end", reshardings::cleanup));
  }

  private CommandSpec onShards(String name, String help, String command) {
    return row(name, help + " of a sharded collection", new ShardedCommand(command, coordinators));
  }

  /** One that a router may ask for again whose answer was lost. */
  private CommandSpec once(String name, String help, Command command) {
    var outcomes = new KeptOutcomes(metadata.store());
    return row(
        name,
        help,
        (request, context, reply) -> {
          UUID key = KeptOutcomes.keyOf(request);
          RawDocument known = key == null ? null : outcomes.find(context.operation(), key);
          if (known == null) {
            command.run(request, context, reply);
          } else {
            reply.appendAll(RunOutcome.resultOf(known));
          }
        });
  }

  private CommandSpec row(String name, String help, Command command) {
    Command onPrimary =
        (request, context, reply) -> {
          leadership.await(context.operation());
          command.run(request, context, reply);
          if (CHANGING_BALANCE.contains(name)) {
            balancer.wake();
          }
        };
    return CommandSpec.of(name, CommandKind.ADMIN, help, onPrimary)
        .scope(Set.of(NodeRole.CONFIG_SERVER), NO_API, onCluster(Action.INTERNAL), NO_TRANSACTION)
        .runsOn(RunsOn.PRIMARY)
        .withWriteConcern()
        .onAdmin();
  }
}
