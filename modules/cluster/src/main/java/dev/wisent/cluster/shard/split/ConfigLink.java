package dev.wisent.cluster.shard.split;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.NodeShardCalls;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardSets;
import dev.wisent.cluster.catalog.CachedCatalog;
import dev.wisent.server.access.MemberConnections;
import dev.wisent.sharding.ConnectionString;
import dev.wisent.wire.client.PooledNodeClient;
import dev.wisent.wire.client.ReplicaSetMonitor;

/** A shard's way to the config servers that its identity names. */
final class ConfigLink implements AutoCloseable {
  private final String shard;
  private final PooledNodeClient client;
  private final ReplicaSetMonitor set;
  private final CachedCatalog catalog;
  private final ShardSets sets;
  private final NodeShardCalls calls;

  /**
   * @param identity as the shard has stored it
   */
  ConfigLink(
      RawDocument identity,
      Clock clock,
      RandomSource random,
      BackgroundLoops loops,
      MemberConnections members) {
    ConnectionString servers =
        ConnectionString.parse(identity.get("configsvrConnectionString").asString());
    this.shard = identity.get("shardName").asString();
    this.client = new PooledNodeClient(members.options("shard"), clock, loops);
    this.set = new ReplicaSetMonitor(client, servers.setName(), servers.hosts(), clock, loops);
    this.catalog = new CachedCatalog(client, set, clock);
    this.sets = new ShardSets(client, set, catalog, clock, loops);
    this.calls = new NodeShardCalls(client, sets, random);
  }

  /** The name of this shard. */
  String shard() {
    return shard;
  }

  CachedCatalog catalog() {
    return catalog;
  }

  ShardCalls calls() {
    return calls;
  }

  @Override
  public void close() {
    sets.close();
    set.close();
    client.close();
  }
}
