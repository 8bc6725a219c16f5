package dev.wisent.cluster.shard.transaction;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.NodeShardCalls;
import dev.wisent.cluster.call.NodeTimes;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardSets;
import dev.wisent.cluster.catalog.CachedCatalog;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.server.node.DataNode;
import dev.wisent.sharding.ConnectionString;
import dev.wisent.wire.client.PooledNodeClient;
import dev.wisent.wire.client.ReplicaSetMonitor;

/** Calls of a shard to the others, from the time on that it belongs to a cluster. Thread-safe. */
public final class ClusterCalls implements AutoCloseable {
  private final DataNode node;
  private final Ownership ownership;
  private Connected connected; // guarded by this

  private record Connected(
      PooledNodeClient client, ReplicaSetMonitor config, ShardSets sets, ShardCalls calls) {}

  public ClusterCalls(DataNode node, Ownership ownership) {
    this.node = node;
    this.ownership = ownership;
  }

  public synchronized ShardCalls get() {
    if (connected == null) {
      connected = connect();
    }
    return connected.calls;
  }

  private Connected connect() {
    RawDocument identity = ownership.tables().identity();
    if (identity == null) {
      throw new CommandException(
          ErrorCode.SHARDING_STATE_NOT_INITIALIZED, "this node is no shard of a cluster yet");
    }
    var servers = ConnectionString.parse(identity.get("configsvrConnectionString").asString());
    var times = new NodeTimes(node.replicaSet().orElseThrow().clock(), node.clock());
    var client =
        new PooledNodeClient(
            node.members().options("shard").withGossip(times), node.clock(), node.loops());
    var config =
        new ReplicaSetMonitor(
            client, servers.setName(), servers.hosts(), node.clock(), node.loops());
    var catalog = new CachedCatalog(client, config, node.clock());
    var sets = new ShardSets(client, config, catalog, node.clock(), node.loops());
    return new Connected(client, config, sets, new NodeShardCalls(client, sets, node.random()));
  }

  @Override
  public synchronized void close() {
    if (connected != null) {
      connected.sets.close();
      connected.config.close();
      connected.client.close();
      connected = null;
    }
  }
}
