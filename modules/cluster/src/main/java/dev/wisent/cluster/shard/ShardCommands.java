package dev.wisent.cluster.shard;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.CommandKind.ADMIN;
import static dev.wisent.server.command.CommandKind.DEFINITION;
import static dev.wisent.server.command.CommandKind.READ;
import static dev.wisent.server.command.CommandKind.WRITE;
import static dev.wisent.server.command.TransactionUse.ENDS;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onCluster;
import static dev.wisent.server.privilege.Privilege.onCollection;
import static dev.wisent.server.privilege.Privilege.onDatabase;

import dev.wisent.cluster.shard.transaction.CoordinateCommitCommand;
import dev.wisent.cluster.shard.transaction.PrepareCommand;
import dev.wisent.cluster.shard.transaction.TransactionCoordination;
import dev.wisent.cluster.shard.transaction.TransactionOutcomesCommand;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.RunsOn;
import dev.wisent.server.privilege.Privilege;
import java.util.List;

/** The commands that only a shard has: most are what a coordinator tells it. */
final class ShardCommands {
  private ShardCommands() {}

  static List<CommandSpec> all(
      ServerServices services,
      Ownership ownership,
      TableWriter tables,
      WriteBlockTable writeBlocks,
      Transactions transactions,
      TransactionCoordination coordination,
      DonorReads donors,
      LocalDatabase database) {
    var blocks = new BlockWritesCommand(ownership, writeBlocks);
    var state = new ShardingStateCommands(ownership);
    var creation =
        new CreateCollectionCommand(
            services.store().definitions(), services.replicaSet(), ownership);
    var clones =
        new CloneDatabaseCommand(
            services.store().definitions(),
            services.database(),
            creation,
            donors,
            database.retryableWrites().copies());
    return List.of(
        internal(
            "_addShard", WRITE, "become a shard of a cluster", new IdentifyShardCommand(tables)),
        internal(
            "_shardsvrClearShard",
            WRITE,
            "forget what config servers have owned as a shard",
            new ClearShardCommand(
                services.database(), services.store().definitions(), ownership, tables)),
        internal(
            "_shardsvrSetDatabase",
            WRITE,
            "whether this shard is the primary of a database",
            new SetDatabaseCommand(ownership, tables)),
        internal(
            "_shardsvrSetCollection",
            WRITE,
            "what this shard owns of a collection",
            new SetCollectionCommand(ownership, tables)),
        internal(
            "_shardsvrForgetCollection",
            WRITE,
            "that a collection is not sharded",
            new ForgetCollectionCommand(ownership, tables)),
        internal(
            "_shardsvrCreateCollection",
            DEFINITION,
            "create a collection with a UUID and indexes",
            creation),
        internal(
            "_shardsvrBlockWrites",
            WRITE,
            "keep writes out of a collection or database",
            blocks::block),
        internal("_shardsvrUnblockWrites", WRITE, "let writes go on", blocks::unblock),
        internal(
            "_shardsvrFenceCoordinator",
            WRITE,
            "refuse what a coordinator has sent before",
            new FenceCoordinatorCommand()),
        internal(
            "_shardsvrGetStatsForBalancing",
            READ,
            "how much data this shard has",
            new BalancingStatsCommand(
                services.store().definitions(), services.store().diagnostics())),
        internal(
            "_shardsvrKeepSnapshots",
            ADMIN,
            "keep states of the recent past for transactions",
            (request, context, reply) -> {
              try (var newest = services.store().store().readPoints().newest()) {
                reply.appendTimestamp("timestamp", newest.timestamp());
              }
            }),
        CommandSpec.of(
                "prepareTransaction",
                ADMIN,
                "prepare the commit of a transaction of several shards",
                new PrepareCommand(transactions))
            .scope(NodeRole.STORING_ROLES, NO_API, onCluster(Action.INTERNAL), ENDS)
            .runsOn(RunsOn.PRIMARY)
            .withWriteConcern()
            .onAdmin(),
        CommandSpec.of(
                "coordinateCommitTransaction",
                ADMIN,
                "commit a transaction of several shards",
                new CoordinateCommitCommand(coordination))
            .scope(NodeRole.STORING_ROLES, NO_API, onCluster(Action.INTERNAL), ENDS)
            .runsOn(RunsOn.PRIMARY)
            .withWriteConcern()
            .onAdmin(),
        internal(
                TransactionOutcomesCommand.NAME,
                ADMIN,
                "what came of transactions that this shard coordinates",
                new TransactionOutcomesCommand(coordination))
            .runsOn(RunsOn.PRIMARY),
        internal(
            "_shardsvrCloneDatabase",
            DEFINITION,
            "copy the unsharded collections of a database from another shard",
            clones::copy),
        internal(
                SessionCopiesCommand.NAME,
                ADMIN,
                "what sessions have done, for the next primary of a database",
                new SessionCopiesCommand(database.retryableWrites().copies()))
            .runsOn(RunsOn.PRIMARY),
        internal("_shardsvrDropClone", DEFINITION, "drop such a copy", clones::drop),
        internal(
            "_shardsvrReplaceCollection",
            WRITE,
            "put documents of a router in the place of a collection",
            new ReplaceCollectionCommand(database, services.cursors())),
        CommandSpec.of(
                "splitVector",
                READ,
                "where a range is split",
                new SplitVectorCommand(
                    services.database(),
                    services.store().definitions(),
                    services.store().diagnostics()))
            .scope(
                NodeRole.STORING_ROLES, NO_API, onCollection(Action.SPLIT_VECTOR), NO_TRANSACTION),
        shown(
            "shardingState",
            "which shard this is",
            onCluster(Action.SHARDING_STATE),
            state::shardingState),
        shown(
            "getShardVersion",
            "what this shard owns of a collection",
            onCollection(Action.GET_SHARD_VERSION),
            state::shardVersion),
        shown(
            "getDatabaseVersion",
            "the version of a database here",
            onDatabase(Action.GET_DATABASE_VERSION),
            state::databaseVersion));
  }

  private static CommandSpec internal(String name, CommandKind kind, String help, Command command) {
    return CommandSpec.of(name, kind, help, command)
        .scope(NodeRole.STORING_ROLES, NO_API, onCluster(Action.INTERNAL), NO_TRANSACTION)
        .onAdmin();
  }

  private static CommandSpec shown(String name, String help, Privilege privilege, Command command) {
    return CommandSpec.of(name, ADMIN, help, command)
        .scope(NodeRole.STORING_ROLES, NO_API, privilege, NO_TRANSACTION)
        .onAdmin();
  }
}
