package dev.wisent.cluster.router;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ReadPoint;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.RoutingTable;
import java.util.Set;

/**
 * Chooses the time that all shards read at, where a snapshot is asked for without one: the newest
 * that this router knows. Thread-safe.
 */
final class SnapshotTimes {
  private static final String AT = "atClusterTime";

  private final RouterTimes times;
  private final SnapshotKeeper snapshots;

  /** The time of reads on several shards; the shards hold the states. */
  private record AllShards(long timestamp) implements ReadPoint {
    @Override
    public ReadPoint share() {
      return this;
    }

    @Override
    public void close() {}
  }

  SnapshotTimes(RouterTimes times, SnapshotKeeper snapshots) {
    this.times = times;
    this.snapshots = snapshots;
  }

  /** A client's read concern as shards get it; null where it has none. */
  RawDocument fixed(RawDocument given, OperationContext operation) {
    if (!isSnapshot(given) || given.get(AT) != null) {
      return given;
    }
    snapshots.use(operation);
    long time = times.newest();
    if (time == 0) {
      return given;
    }
    RawValue after = given.get("afterClusterTime");
    if (after != null
        && after.type() == ElementType.TIMESTAMP
        && Long.compareUnsigned(after.asInt64(), time) > 0) {
      time = after.asInt64();
    }
    var out = new BsonBuilder(given.length() + 32);
    out.appendAll(given.without(Set.of("afterClusterTime")));
    return out.appendTimestamp(AT, time).toDocument();
  }

  /** What reads on several shards read; null for the newest state of each. */
  ReadPoint readPoint(RawDocument concern, OperationContext operation) {
    RawDocument fixed = fixed(concern, operation);
    RawValue time = isSnapshot(fixed) ? fixed.get(AT) : null;
    return time == null ? null : new AllShards(time.asInt64());
  }

  /**
   * Has all shards keep states from now on, where one is asked for a state whose time it may choose
   * itself: the session goes on at that time, on whatever shard.
   */
  void keep(CommandRequest request, OperationContext operation) {
    if (!request.isInTransaction() && isSnapshot(request.readConcern())) {
      snapshots.use(operation);
    }
  }

  /** The time that a client reads at outside of transactions; the newest where it names none. */
  static long given(CommandRequest request) {
    RawDocument concern = request.isInTransaction() ? null : request.readConcern();
    RawValue time = isSnapshot(concern) ? concern.get(AT) : null;
    return time != null && time.type() == ElementType.TIMESTAMP
        ? time.asInt64()
        : RoutingTable.NEWEST;
  }

  /** The newest time, for a read of the router's own; null where none is known. */
  ReadPoint newest(OperationContext operation) {
    snapshots.use(operation);
    long time = times.newest();
    return time == 0 ? null : new AllShards(time);
  }

  private static boolean isSnapshot(RawDocument concern) {
    RawValue level = concern == null ? null : concern.get("level");
    return level != null && level.isString() && level.asString().equals("snapshot");
  }
}
