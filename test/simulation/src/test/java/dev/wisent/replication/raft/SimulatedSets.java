package dev.wisent.replication.raft;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The replica sets of a simulation, by the directories of their only members. */
public final class SimulatedSets {
  private static final Map<Path, SimulatedRaftNode> NODES = new HashMap<>();

  private SimulatedSets() {}

  static void opened(SimulatedRaftNode node) {
    NODES.put(node.directory(), node);
  }

  private static SimulatedRaftNode node(Path dbPath) {
    return NODES.get(dbPath.resolve("raft"));
  }

  /** The primary loses its leadership. */
  public static void loseLeadership(Path dbPath) {
    node(dbPath).loseLeadership();
  }

  /** It leads again, in a new term. */
  public static void leadAgain(Path dbPath) {
    node(dbPath).leadAgain();
  }

  /** A set whose store was copied has a log that was copied. */
  public static void copy(Path from, Path to) {
    SimulatedLog.copy(from.resolve("raft"), to.resolve("raft"));
  }

  /** Forgets all sets: their data is gone. */
  public static void clear() {
    NODES.clear();
    SimulatedLog.forgetAll();
  }
}
