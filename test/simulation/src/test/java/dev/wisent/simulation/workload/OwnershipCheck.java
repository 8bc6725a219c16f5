package dev.wisent.simulation.workload;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.simulation.cluster.SimulatedCluster;
import dev.wisent.simulation.cluster.SimulatedNode;
import dev.wisent.simulation.machine.Host;
import java.util.concurrent.locks.LockSupport;

/** Looks again and again whether two shards own the same key. */
final class OwnershipCheck implements Runnable {
  static final Namespace COLLECTION = new Namespace("d", "c");
  private static final long PERIOD_NANOS = 500_000;

  private final SimulatedCluster cluster;
  private boolean ended;
  private OwnedRanges checkedFirst;
  private OwnedRanges checkedSecond;

  /** The process that is asked just now; null between two questions. */
  private Host asked;

  OwnershipCheck(SimulatedCluster cluster) {
    this.cluster = cluster;
  }

  void end() {
    ended = true;
  }

  @Override
  public void run() {
    while (!ended) {
      look();
      LockSupport.parkNanos(PERIOD_NANOS);
    }
  }

  /** The table of one is that of the moment in which that of the other is read. */
  private void look() {
    SimulatedNode first = cluster.shards().get(0);
    SimulatedNode second = cluster.shards().get(1);
    OwnedRanges before = ask(first);
    OwnedRanges other = ask(second);
    OwnedRanges after = ask(first);
    if (before == null || other == null || before != after) {
      return;
    }
    if (before == checkedFirst && other == checkedSecond) {
      return;
    }
    for (int key = 0; key < Traffic.KEYS; key++) {
      RawDocument document = RawDocument.parse("{k: " + key + "}");
      if (before.owns(document) && other.owns(document)) {
        throw new Violation("both shards own key " + key + ": " + before + " and " + other);
      }
    }
    checkedFirst = before;
    checkedSecond = other;
  }

  private OwnedRanges ask(SimulatedNode shard) {
    asked = shard.host();
    OwnedRanges owned = shard.owned(COLLECTION);
    asked = null;
    return owned;
  }

  /**
   * Whether the process that is asked was killed meanwhile: its threads run no more, and the lock
   * that one of them holds is never free.
   */
  boolean isLost() {
    return asked != null && asked.isDead();
  }

  /** The only shard that owns a key. */
  String owner(int key) {
    RawDocument document = RawDocument.parse("{k: " + key + "}");
    String owner = null;
    for (SimulatedNode shard : cluster.shards()) {
      OwnedRanges owned = shard.owned(COLLECTION);
      if (owned != null && owned.owns(document)) {
        if (owner != null) {
          throw new Violation("both shards own key " + key);
        }
        owner = shard.name();
      }
    }
    if (owner == null) {
      throw new Violation("no shard owns key " + key);
    }
    return owner;
  }
}
