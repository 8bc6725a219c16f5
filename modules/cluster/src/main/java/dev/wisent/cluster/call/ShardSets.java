package dev.wisent.cluster.call;

import dev.wisent.base.Clock;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.sharding.ShardInfo;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.ReplicaSetMonitor;
import dev.wisent.wire.client.SetDescription;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The replica sets of the cluster, each followed by a monitor from its first use on. */
public final class ShardSets implements AutoCloseable {
  private final NodeClient client;
  private final ReplicaSetMonitor config;
  private final RoutingCatalog catalog;
  private final Clock clock;
  private final BackgroundLoops loops;

  /** Changed by one thread at a time, which holds the lock of this. */
  private final Map<String, ReplicaSetMonitor> monitors = new ConcurrentHashMap<>();

  private boolean closed; // guarded by this

  /**
   * @param config the monitor of the config servers, which its owner closes
   */
  public ShardSets(
      NodeClient client,
      ReplicaSetMonitor config,
      RoutingCatalog catalog,
      Clock clock,
      BackgroundLoops loops) {
    this.client = client;
    this.config = config;
    this.catalog = catalog;
    this.clock = clock;
    this.loops = loops;
  }

  /** The monitor of a shard; fails with ShardNotFound. */
  ReplicaSetMonitor of(String shard) {
    if (shard.equals(ShardCalls.CONFIG)) {
      return config;
    }
    ReplicaSetMonitor known = monitors.get(shard);
    if (known != null) {
      return known;
    }
    // May ask the config servers, so that no lock is held.
    ShardInfo info = catalog.shard(shard);
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException("the router is closed");
      }
      return monitors.computeIfAbsent(
          shard,
          name ->
              new ReplicaSetMonitor(
                  client, info.setName(), new LinkedHashSet<>(info.seeds()), clock, loops));
    }
  }

  /** The config servers, and the shards that were used. */
  public synchronized List<SetDescription> descriptions() {
    var all = new ArrayList<SetDescription>();
    all.add(config.description());
    monitors.values().forEach(monitor -> all.add(monitor.description()));
    return all;
  }

  /** Ends the monitors of shards that are no longer there. */
  public synchronized void retain(Set<String> shards) {
    monitors
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = !shards.contains(entry.getKey());
              if (gone) {
                entry.getValue().close();
              }
              return gone;
            });
  }

  @Override
  public synchronized void close() {
    closed = true;
    monitors.values().forEach(ReplicaSetMonitor::close);
    monitors.clear();
  }
}
