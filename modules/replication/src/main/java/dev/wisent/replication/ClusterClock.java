package dev.wisent.replication;

import dev.wisent.base.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Cluster time: a clock that all members of a cluster share by telling each other what they know.
 * It follows the wall clock, never goes back, and gives no time twice. Times are the 64 bits of a
 * BSON timestamp, and are compared without a sign: from 2038 on the highest bit is set.
 * Thread-safe.
 */
public final class ClusterClock {
  private static final int SECONDS_SHIFT = 32;

  private final Clock wall;
  private final AtomicLong newest = new AtomicLong();

  public ClusterClock(Clock wall) {
    this.wall = wall;
  }

  /** The newest time that is known. */
  public long now() {
    return newest.get();
  }

  /** A new time, later than all that are known. */
  public long tick() {
    return tick(1);
  }

  /** As many new times in a row; returns the first. */
  public long tick(int count) {
    long wallTime = (wall.wallMillis() / 1000) << SECONDS_SHIFT;
    while (true) {
      long known = newest.get();
      long first = later(known, wallTime) + 1;
      if (newest.compareAndSet(known, first + count - 1)) {
        return first;
      }
    }
  }

  /** Learns of a time that another node knows. */
  public void advanceTo(long time) {
    newest.accumulateAndGet(time, ClusterClock::later);
  }

  /** The later one of two times. */
  public static long later(long first, long second) {
    return Long.compareUnsigned(first, second) >= 0 ? first : second;
  }
}
