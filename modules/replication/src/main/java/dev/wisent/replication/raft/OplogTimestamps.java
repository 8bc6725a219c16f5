package dev.wisent.replication.raft;

import dev.wisent.base.Clock;
import dev.wisent.database.oplog.OplogSlots;
import dev.wisent.replication.ClusterClock;
import dev.wisent.storage.Mutation;

/** Gives the oplog entries of mutations their time, in the order of the log. For one thread. */
final class OplogTimestamps {
  private final ClusterClock clock;
  private final Clock wall;

  OplogTimestamps(ClusterClock clock, Clock wall) {
    this.clock = clock;
    this.wall = wall;
  }

  /**
   * A mutation as it goes into the log.
   *
   * @param timestamp of its last oplog entry; 0 if it has none
   */
  record Stamped(Mutation mutation, long timestamp) {}

  Stamped stamp(Mutation mutation, long term) {
    if (mutation.oplogEntries().isEmpty()) {
      return new Stamped(mutation, 0);
    }
    var place = new OplogSlots(clock.tick(OplogSlots.count(mutation)), term, wall.wallMillis());
    return new Stamped(place.applyTo(mutation), place.lastOf(mutation));
  }
}
