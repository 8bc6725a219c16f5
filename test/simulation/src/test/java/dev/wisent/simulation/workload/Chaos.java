package dev.wisent.simulation.workload;

import dev.wisent.base.RandomSource;
import dev.wisent.simulation.cluster.SimulatedCluster;
import dev.wisent.simulation.cluster.SimulatedNode;
import dev.wisent.simulation.machine.Host;
import dev.wisent.simulation.machine.Machine;
import dev.wisent.simulation.network.Network.Faults;
import java.util.ArrayList;
import java.util.List;

/** Kills nodes, elects others, breaks connections and moves clocks, until it is ended. */
final class Chaos {
  private static final long MILLI = 1_000_000;

  /** How often a shard goes down when it has prepared something. */
  private static final int STRIKES_MAX = 3;

  private final Machine machine;
  private final SimulatedCluster cluster;
  private final RandomSource random;
  private final List<String> done = new ArrayList<>();
  private long periodNanos;
  private int strikes;
  private boolean ended;

  Chaos(Machine machine, SimulatedCluster cluster) {
    this.machine = machine;
    this.cluster = cluster;
    this.random = RandomSource.seeded(machine.random().nextLong());
  }

  void begin() {
    if (random.nextInt(3) > 0) {
      cluster
          .network()
          .faults(
              new Faults(
                  random.nextInt(60_000), 1 + random.nextLong(400 * MILLI), random.nextInt(8_000)));
    }
    periodNanos = MILLI * (30 + random.nextInt(400));
    strikes = random.nextInt(STRIKES_MAX + 1);
    cluster.network().watch("prepareTimestamp", this::prepared);
    next();
  }

  private void next() {
    machine.after(
        5 * MILLI + random.nextLong(periodNanos),
        () -> {
          if (!ended) {
            act();
            next();
          }
        });
  }

  private void act() {
    SimulatedNode node = node();
    long time = MILLI + random.nextLong(200 * MILLI);
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> {
        log("kill " + node);
        node.restart(time);
      }
      case 3, 4 -> {
        if (node != cluster.router()) {
          log("elect " + node);
          node.elect(time);
        }
      }
      case 5 -> {
        log("cut off " + node);
        cluster.network().cutOff(node.host());
        machine.after(time, () -> cluster.network().cutOff(null));
      }
      case 6 -> {
        log("clock of " + node);
        node.host().jump(random.nextLong(6000) - 3000);
      }
      default -> log("nothing");
    }
  }

  /** A shard says that it has prepared its part of a transaction, which has no outcome yet. */
  private void prepared(Host host) {
    if (ended || strikes == 0 || random.nextInt(4) > 0) {
      return;
    }
    strikes--;
    for (SimulatedNode shard : cluster.shards()) {
      if (shard.host() == host) {
        boolean kill = random.nextInt(3) == 0;
        long time = MILLI + random.nextLong(30 * MILLI);
        log((kill ? "kill " : "elect ") + shard + " with what is prepared");
        machine.after(
            random.nextLong(MILLI),
            () -> {
              if (kill) {
                shard.restart(time);
              } else {
                shard.elect(time);
              }
            });
      }
    }
  }

  private SimulatedNode node() {
    return switch (random.nextInt(6)) {
      case 0 -> cluster.router();
      case 1 -> cluster.config();
      default -> cluster.shards().get(random.nextInt(2));
    };
  }

  private void log(String what) {
    done.add(machine.nowNanos() / MILLI + " ms: " + what);
  }

  List<String> done() {
    return done;
  }

  void end() {
    ended = true;
    cluster.network().faults(Faults.NONE);
    cluster.network().cutOff(null);
  }
}
