package dev.wisent.replication.raft;

import dev.wisent.replication.ClusterClock;
import dev.wisent.replication.raft.OplogTimestamps.Stamped;
import dev.wisent.storage.Mutation;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One entry on its way through the log, with those who wait for it. Either the thread that applies
 * the entry claims it, and then tells them how it ended; or another thread does, which gives up
 * because this node does not lead any more. Never both.
 */
final class Proposal {
  private final long term;
  private final List<RaftFuture> futures;
  private final List<Stamped> stamped;
  private final AtomicBoolean claimed = new AtomicBoolean();

  Proposal(long term, List<RaftFuture> futures, List<Stamped> stamped) {
    this.term = term;
    this.futures = futures;
    this.stamped = stamped;
  }

  EntryFormat.Entry entry() {
    long lastTimestamp = 0;
    for (Stamped each : stamped) {
      lastTimestamp = ClusterClock.later(lastTimestamp, each.timestamp());
    }
    List<Mutation> mutations = stamped.stream().map(Stamped::mutation).toList();
    return new EntryFormat.Entry(term, lastTimestamp, mutations);
  }

  List<RaftFuture> futures() {
    return futures;
  }

  /** True for the first who asks, and only for that one. */
  boolean claim() {
    return claimed.compareAndSet(false, true);
  }

  /** Tells those who wait. The caller has claimed it. */
  void applied() {
    for (int i = 0; i < futures.size(); i++) {
      futures.get(i).applied(stamped.get(i).timestamp());
    }
  }

  /** Tells those who wait. The caller has claimed it. */
  void failed(RuntimeException why) {
    futures.forEach(future -> future.fail(why));
  }

  /** Tells those who wait that it failed, unless it is claimed. */
  void giveUp(RuntimeException why) {
    if (claim()) {
      failed(why);
    }
  }
}
