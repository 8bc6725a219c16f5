package dev.wisent.cluster.shard;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.cluster.shard.migration.Migrations;
import dev.wisent.cluster.shard.migration.RecipientCollection;
import dev.wisent.cluster.shard.range.OrphanTasks;
import dev.wisent.cluster.shard.range.RangeDeleter;
import dev.wisent.cluster.shard.range.RangeDeletions;
import dev.wisent.cluster.shard.resharding.Reshardings;
import dev.wisent.cluster.shard.split.ChunkSplitter;
import dev.wisent.cluster.shard.transaction.ClusterCalls;
import dev.wisent.cluster.shard.transaction.TransactionCoordination;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.diagnostic.ServerStatusCommand;
import dev.wisent.server.dispatch.CommandInterceptor;
import dev.wisent.server.node.DataNode;
import dev.wisent.server.node.NodeExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A member of a replica set that is a shard of a cluster, or is about to become one. */
public final class ShardServer implements NodeExtension {
  private static final Duration OVERDUE_PERIOD = Duration.ofMillis(500);

  private final DataNode node;
  private final Ownership ownership;
  private final VersionCheck versions;
  private final ChunkSplitter splitter;
  private final TransactionCoordination coordination;
  private final RangeDeleter rangeDeleter;
  private final RangeDeletions rangeDeletions;
  private final ClusterCalls calls;
  private final Migrations migrations;
  private final Reshardings reshardings;
  private final WriteBlockTable writeBlocks;
  private final BackgroundLoop overdueBlocks;

  private ShardServer(DataNode node) {
    this.node = node;
    this.ownership = node.database().shared().ownership();
    node.database().shared().transactions().allowRestarts();
    this.splitter =
        new ChunkSplitter(
            ownership,
            node.database().shared().writeGate(),
            node.operations(),
            node.definitions(),
            node.random(),
            node.loops(),
            node.members(),
            node.log().of(LogComponent.SHARDING));
    this.rangeDeleter =
        new RangeDeleter(
            ownership,
            node.database().shared().writeGate(),
            node.operations(),
            node.definitions(),
            node.loops(),
            node.log().of(LogComponent.SHARDING));
    this.rangeDeletions = new RangeDeletions(rangeDeleter, node.replicaSet().orElseThrow());
    this.calls = new ClusterCalls(node, ownership);
    this.coordination =
        new TransactionCoordination(node, node.replicaSet().orElseThrow(), ownership, calls);
    this.migrations = new Migrations(node, ownership, calls::get);
    this.reshardings = new Reshardings(node, ownership, calls::get);
    LocalDatabase database = node.database().shared();
    this.writeBlocks =
        new WriteBlockTable(node.operations(), ownership, database.writeGate(), node.clock());
    this.overdueBlocks = node.loops().every(OVERDUE_PERIOD, "write-blocks", this::endOverdue);
    this.versions =
        new VersionCheck(
            ownership,
            database.views(),
            database.writeGate(),
            new CoordinatorCalls(node.operations(), database.writeGate(), node.clock()),
            migrations::awaitCompared);
  }

  /** Makes shards of the nodes that are opened. */
  public static NodeExtension.Opener opener() {
    return node -> {
      if (node.options().replicaSet().isEmpty()) {
        throw new CommandException(
            ErrorCode.BAD_VALUE, "A shard server must be a member of a replica set: use --replSet");
      }
      return new ShardServer(node);
    };
  }

  @Override
  public List<CommandSpec> commands(ServerServices services) {
    coordination.open(services);
    var tables =
        new TableWriter(
            node.operations(),
            node.definitions(),
            node.transactions(),
            ownership,
            node.database().shared().writeGate(),
            services.topology().processId());
    var rows =
        new ArrayList<>(
            ShardCommands.all(
                services,
                ownership,
                tables,
                writeBlocks,
                node.transactions(),
                coordination,
                new DonorReads(node.clock(), node.loops(), node.members()),
                node.database().shared()));
    var creation =
        new CreateCollectionCommand(
            services.store().definitions(), services.replicaSet(), ownership);
    rows.addAll(
        migrations.open(
            services,
            tables,
            rangeDeletions,
            new EndedMigrationTable(node.operations(), node.clock()),
            new RecipientCollection(node.definitions(), ownership, creation::create)));
    rows.addAll(reshardings.open(tables, migrations.pace()));
    rangeDeleter.open(services.operations());
    rows.add(CleanupOrphanedCommand.row(ownership, node.definitions(), rangeDeletions));
    rows.add(
        RecreateDeletionTasksCommand.row(
            ownership,
            new OrphanTasks(
                rangeDeleter,
                ownership,
                node.operations(),
                node.definitions(),
                node.random(),
                node.clock())));
    return rows;
  }

  @Override
  public Map<String, ServerStatusCommand.Section> statusSections() {
    return new ShardStatistics(
            ownership,
            versions,
            coordination.figures(),
            migrations.figures(),
            rangeDeleter.figures(),
            reshardings.figures())
        .sections();
  }

  @Override
  public CommandInterceptor interceptor() {
    return new TransactionReplies(versions, coordination.figures());
  }

  @Override
  public List<BackgroundLoop> jobs() {
    var jobs = new ArrayList<>(coordination.jobs());
    jobs.add(splitter.loop());
    jobs.add(rangeDeleter.loop());
    jobs.addAll(migrations.jobs());
    jobs.add(reshardings.job());
    jobs.add(overdueBlocks);
    return jobs;
  }

  private void endOverdue() {
    if (node.database().shared().writeGate().isOpen()) {
      writeBlocks.endOverdue(OperationContext.internal(node.clock()));
    }
  }

  @Override
  public void close() {
    rangeDeleter.close();
    coordination.close();
    calls.close();
    splitter.close();
  }
}
