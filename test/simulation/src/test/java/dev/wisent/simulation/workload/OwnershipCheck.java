package dev.wisent.simulation.workload;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.simulation.cluster.SimulatedCluster;
import dev.wisent.simulation.cluster.SimulatedNode;
import java.util.concurrent.locks.LockSupport;

/** Looks again and again whether two shards own the same key. */
final class OwnershipCheck implements Runnable {
  static final Namespace COLLECTION = new Namespace("d", "c");
  private static final long PERIOD_NANOS = 500_000;

  private final SimulatedCluster cluster;
  private boolean ended;
  private OwnedRanges checkedFirst;
  private OwnedRanges checkedSecond;

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
    OwnedRanges before = first.owned(COLLECTION);
    OwnedRanges other = second.owned(COLLECTION);
    OwnedRanges after = first.owned(COLLECTION);
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
