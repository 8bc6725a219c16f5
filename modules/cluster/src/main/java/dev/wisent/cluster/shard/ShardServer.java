package dev.wisent.cluster.shard;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.cluster.shard.split.ChunkSplitter;
import dev.wisent.cluster.shard.transaction.TransactionCoordination;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.dispatch.CommandInterceptor;
import dev.wisent.server.node.DataNode;
import dev.wisent.server.node.NodeExtension;
import java.util.ArrayList;
import java.util.List;

/** A member of a replica set that is a shard of a cluster, or is about to become one. */
public final class ShardServer implements NodeExtension {
  private final DataNode node;
  private final Ownership ownership;
  private final VersionCheck versions;
  private final ChunkSplitter splitter;
  private final TransactionCoordination coordination;

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
            node.loops(),
            node.log().of(LogComponent.SHARDING));
    this.coordination =
        new TransactionCoordination(node, node.replicaSet().orElseThrow(), ownership);
    this.versions = new VersionCheck(ownership, node.database().shared().writeGate());
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
            services.topology().processId());
    var rows =
        new ArrayList<>(
            ShardCommands.all(
                services,
                ownership,
                tables,
                node.transactions(),
                coordination,
                new DonorReads(node.clock(), node.loops()),
                node.database().shared()));
    rows.add(new ShardStatistics(ownership).row(services));
    return rows;
  }

  @Override
  public CommandInterceptor interceptor() {
    return new TransactionReplies(versions);
  }

  @Override
  public List<BackgroundLoop> jobs() {
    return List.of(splitter.loop(), coordination.job());
  }

  @Override
  public void close() {
    coordination.close();
    splitter.close();
  }
}
