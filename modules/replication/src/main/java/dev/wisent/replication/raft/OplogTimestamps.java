package dev.wisent.replication.raft;

import dev.wisent.base.Clock;
import dev.wisent.database.oplog.OplogSlots;
import dev.wisent.replication.ClusterClock;
import dev.wisent.storage.Mutation;
import java.util.ArrayList;
import java.util.List;

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

  /**
   * Stamps all mutations of an entry. Their times follow each other, and so are of one second: the
   * state at the beginning of a second is never in the middle of an entry.
   */
  List<Stamped> stamp(List<Mutation> mutations, long term) {
    int count = mutations.stream().mapToInt(OplogTimestamps::count).sum();
    long next = count == 0 ? 0 : clock.tick(count);
    long wallMillis = wall.wallMillis();
    List<Stamped> stamped = new ArrayList<>(mutations.size());
    for (Mutation mutation : mutations) {
      if (mutation.oplogEntries().isEmpty()) {
        stamped.add(new Stamped(mutation, 0));
      } else {
        var place = new OplogSlots(next, term, wallMillis);
        stamped.add(new Stamped(place.applyTo(mutation), place.lastOf(mutation)));
        next += count(mutation);
      }
    }
    return stamped;
  }

  private static int count(Mutation mutation) {
    return mutation.oplogEntries().isEmpty() ? 0 : OplogSlots.count(mutation);
  }
}
