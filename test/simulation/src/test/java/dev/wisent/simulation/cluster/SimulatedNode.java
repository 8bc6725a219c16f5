package dev.wisent.simulation.cluster;

import dev.wisent.base.log.ServerLog;
import dev.wisent.cluster.ClusterRoles;
import dev.wisent.operation.Namespace;
import dev.wisent.replication.raft.SimulatedSets;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.node.DataNode;
import dev.wisent.server.node.ServerRole;
import dev.wisent.server.node.WisentServer;
import dev.wisent.server.transport.ListenException;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.simulation.machine.Host;
import dev.wisent.simulation.machine.Machine;
import dev.wisent.simulation.network.Network;
import dev.wisent.wire.HostAndPort;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server that is started, killed and started again over the same data. */
public final class SimulatedNode {
  private final Machine machine;
  private final Network network;
  private final String name;
  private final ServerOptions options;
  private final List<AutoCloseable> left = new ArrayList<>();
  private Host host;
  private ServerRole role;
  private int starts;
  private boolean starting;

  SimulatedNode(Machine machine, Network network, String name, ServerOptions options) {
    this.machine = machine;
    this.network = network;
    this.name = name;
    this.options = options;
  }

  public String name() {
    return name;
  }

  public HostAndPort address() {
    return new HostAndPort("127.0.0.1", options.port());
  }

  public Host host() {
    return host;
  }

  public boolean isRunning() {
    return host != null && !host.isDead() && !starting;
  }

  /** Starts a process; it serves some time later. */
  public void start() {
    host = machine.host(name + "#" + ++starts);
    starting = true;
    Host process = host;
    process.start(
        "main",
        () -> {
          closeLeft();
          try {
            WisentServer.start(options, ServerLog.silent(), opener());
          } catch (ListenException e) {
            throw new IllegalStateException(e);
          }
          if (host == process) {
            starting = false;
          }
        });
  }

  private ServerRole.Opener opener() {
    ServerRole.Opener real = ClusterRoles.opener(options);
    return (serverOptions, topology, clock, random, log, loops, port, members) -> {
      ServerRole opened =
          real.open(serverOptions, topology, clock, random, log, loops, port, members);
      role = opened;
      return opened;
    };
  }

  /** What a shard owns of a collection; null while it does not run, or knows nothing of it. */
  public OwnedRanges owned(Namespace collection) {
    return isRunning() && role instanceof DataNode node
        ? node.database().shared().ownership().owned(collection)
        : null;
  }

  /** The files of the process that died are free for the next one. */
  private void closeLeft() {
    for (AutoCloseable resource : left) {
      try {
        resource.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    left.clear();
  }

  /** As by SIGKILL. */
  public void kill() {
    host.kill();
    left.addAll(host.resources());
    network.died(host);
  }

  /** Kills it, and starts it again after a time. */
  public void restart(long afterNanos) {
    if (host.isDead() || starting) {
      return;
    }
    kill();
    machine.after(afterNanos, this::start);
  }

  /** The primary of a set is one no more, and again after a time. */
  public void elect(long afterNanos) {
    if (host.isDead() || starting) {
      return;
    }
    Host process = host;
    process.start(
        "election",
        () -> {
          SimulatedSets.loseLeadership(options.dbPath());
          machine.after(
              Math.max(afterNanos, TimeUnit.MILLISECONDS.toNanos(1)),
              () -> {
                if (!process.isDead()) {
                  process.start("elected", () -> SimulatedSets.leadAgain(options.dbPath()));
                }
              });
        });
  }

  /** Ends the process for good, and frees what it has. */
  void end() {
    if (host != null) {
      host.kill();
      left.addAll(host.resources());
      closeLeft();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
