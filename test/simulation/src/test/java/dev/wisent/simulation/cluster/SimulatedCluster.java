package dev.wisent.simulation.cluster;

import dev.wisent.base.CommandException;
import dev.wisent.replication.raft.SimulatedRaftNode;
import dev.wisent.replication.raft.SimulatedSets;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerOptions;
import dev.wisent.simulation.machine.Host;
import dev.wisent.simulation.machine.Machine;
import dev.wisent.simulation.machine.SimulatedJvm;
import dev.wisent.simulation.network.Network;
import dev.wisent.simulation.network.SimulatedSockets;
import dev.wisent.simulation.network.SimulatedTransport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A config server, two shards and a router on one simulated machine. */
public final class SimulatedCluster implements AutoCloseable {
  private static final int ROUTER_PORT = 27_017;
  private static final int SHARD_PORT = 27_018;
  private static final int CONFIG_PORT = 27_019;
  private static final int SHARDS = 2;
  private static final long SETUP_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Machine machine;
  private final Network network;
  private final SimulatedNode config;
  private final List<SimulatedNode> shards = new ArrayList<>();
  private final SimulatedNode router;

  /** To be called before a machine is made. */
  public static void prepareJvm() {
    SimulatedJvm.prepare(
        SimulatedSockets.class,
        SimulatedTransport.class,
        SimulatedRaftNode.class,
        SimulatedStores.class);
  }

  /**
   * @param directory on a fast file system
   */
  public SimulatedCluster(Machine machine, Path directory) {
    this.machine = machine;
    this.network = new Network(machine);
    this.config =
        node("config", options(directory, "config", CONFIG_PORT, ClusterRole.CONFIG_SERVER));
    for (int i = 0; i < SHARDS; i++) {
      String name = "shard" + i;
      shards.add(
          node(name, options(directory, name, SHARD_PORT + 10 * i, ClusterRole.SHARD_SERVER)));
    }
    this.router =
        node(
            "router",
            ServerOptions.builder(directory.resolve("router"))
                .port(ROUTER_PORT)
                .scripting(false)
                .configDb("config/127.0.0.1:" + CONFIG_PORT)
                .build());
  }

  private static ServerOptions options(Path directory, String name, int port, ClusterRole role) {
    return ServerOptions.builder(directory.resolve(name))
        .port(port)
        .replicaSet(name)
        .clusterRole(role)
        .cacheBytes(8 << 20)
        .oplogMegabytes(990)
        .scripting(false)
        .setParameter("enableTestCommands", "1")
        .setParameter("orphanCleanupDelaySecs", "1")
        .build();
  }

  private SimulatedNode node(String name, ServerOptions options) {
    return new SimulatedNode(machine, network, name, options);
  }

  /** Starts all nodes and makes a cluster of them; returns when it can be used. */
  public void create() {
    start();
    Host host = machine.host("setup");
    boolean[] done = new boolean[1];
    host.start(
        "setup",
        () -> {
          var client = new SimulatedClient(host);
          for (SimulatedNode set : sets()) {
            retry(
                client,
                set,
                "{replSetInitiate: {_id: '"
                    + set
                    + "', members: [{_id: 0, host: '"
                    + set.address()
                    + "'}]}}");
          }
          for (SimulatedNode shard : shards) {
            retry(client, router, "{addShard: '" + shard + "/" + shard.address() + "'}");
          }
          retry(client, router, "{balancerStop: 1}");
          done[0] = true;
        });
    if (!machine.runUntil(() -> done[0], SETUP_NANOS)) {
      throw new IllegalStateException("the cluster was not set up");
    }
    host.kill();
  }

  /** Starts all nodes over the data that they have. */
  public void start() {
    sets().forEach(SimulatedNode::start);
    router.start();
  }

  private static void retry(SimulatedClient client, SimulatedNode node, String json) {
    for (int i = 0; ; i++) {
      try {
        client.run(node.address(), "admin", json);
        return;
      } catch (CommandException e) {
        if (i > 200) {
          throw e;
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
  }

  public Network network() {
    return network;
  }

  public SimulatedNode config() {
    return config;
  }

  public List<SimulatedNode> shards() {
    return shards;
  }

  public SimulatedNode router() {
    return router;
  }

  /** All that have data. */
  public List<SimulatedNode> sets() {
    var sets = new ArrayList<>(shards);
    sets.addFirst(config);
    return sets;
  }

  @Override
  public void close() {
    router.end();
    sets().forEach(SimulatedNode::end);
    SimulatedSets.clear();
  }
}
