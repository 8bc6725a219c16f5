package dev.wisent.cluster.call;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.replication.ClusterClock;
import dev.wisent.server.command.concern.ClusterTimes;
import dev.wisent.wire.client.ClusterTimeGossip;

/**
 * The cluster time of a node that calls others: what happens on one because of what has happened on
 * another has a later time. Thread-safe.
 */
public final class NodeTimes implements ClusterTimeGossip {
  private final ClusterClock known;
  private final Clock clock;

  public NodeTimes(ClusterClock known, Clock clock) {
    this.known = known;
    this.clock = clock;
  }

  @Override
  public void appendTo(BsonBuilder request) {
    long now = known.now();
    if (now != 0) {
      ClusterTimes.append(now, request);
    }
  }

  @Override
  public void received(RawDocument clusterTime) {
    try {
      long time = ClusterTimes.checked(clusterTime, known.now(), clock);
      if (Long.compareUnsigned(time, known.now()) > 0) {
        known.advanceTo(time);
      }
    } catch (CommandException e) {
      // A node whose clock is wrong must not make all others useless.
    }
  }
}
