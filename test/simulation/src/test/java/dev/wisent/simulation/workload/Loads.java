package dev.wisent.simulation.workload;

import dev.wisent.simulation.cluster.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The kinds of traffic that a seed has beside the usual one, and whether they have ended. */
final class Loads {
  /** The usual traffic alone has a share of its own. */
  private static final int KINDS = 5;

  private final List<Load> loads;
  private int running;

  private Loads(List<Load> loads) {
    this.loads = loads;
  }

  static Loads of(long seed, SimulatedCluster cluster, Supplier<Session> sessions) {
    List<Load> loads =
        switch ((int) Math.floorMod(seed, (long) KINDS)) {
          case 0 -> List.of(new KeylessWritesLoad(sessions));
          case 1 -> List.of(new ReturningDocumentsLoad(cluster, sessions));
          case 2 -> List.of(new StreamLoad(sessions));
          case 3 -> List.of(new DefinitionsLoad(sessions));
          default -> List.of();
        };
    return new Loads(loads);
  }

  void prepare(Session session) {
    loads.forEach(load -> load.prepare(session));
  }

  /** What all clients do; each is counted until its end. */
  List<Runnable> clients() {
    var clients = new ArrayList<Runnable>();
    for (Load load : loads) {
      for (Runnable client : load.clients()) {
        running++;
        clients.add(
            () -> {
              client.run();
              running--;
            });
      }
    }
    return clients;
  }

  /** The collections whose ranges move. */
  List<String> moved() {
    return loads.isEmpty() ? List.of("d.c") : loads.getFirst().moved();
  }

  boolean haveEnded() {
    return running == 0;
  }

  void check(Session session) {
    loads.forEach(load -> load.check(session));
  }
}
