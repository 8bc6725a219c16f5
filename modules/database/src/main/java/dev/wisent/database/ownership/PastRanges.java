package dev.wisent.database.ownership;

import dev.wisent.database.session.OperationState;
import dev.wisent.database.snapshot.ReadState;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.DatabaseVersion;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.sharding.RangeMove;
import dev.wisent.sharding.RequestVersions;
import dev.wisent.sharding.StaleConfigException;
import dev.wisent.sharding.StaleDatabaseException;
import java.util.List;
import java.util.UUID;

/**
 * What this shard owned of a collection at a time since which ranges have come or gone. The router
 * knows all of these moves, as it has the newest version, and asks all shards that may have had
 * what it looks for; each answers for what it owned. A range changes hands at the time at which the
 * donor gave it away, on both shards.
 */
final class PastRanges {
  private PastRanges() {}

  /**
   * The ranges of then. Fails with SnapshotUnavailable where the collection was another one, or
   * where it is not known what was owned. A transaction always fails: what it writes it has to own
   * at its time and when it commits.
   *
   * @param past the tables of the state that is read
   * @param newest the tables, whose version the router has
   */
  static OwnedRanges of(
      Namespace namespace, ShardTables past, ShardTables newest, OperationContext operation) {
    if (OperationState.scope(operation) != null) {
      throw ReadState.unavailable(namespace);
    }
    RequestVersions routed = OperationState.routed(operation);
    // A move since the first check may be one until the time: a router that does not know it asks
    // too few shards.
    newest.check(namespace, routed);
    long time = operation.readPoint().timestamp();
    ChunkVersion received = routed.of(namespace);
    OwnedRanges now = newest.collection(namespace);
    if (received.isUnsharded() || !isSame(now, received)) {
      throw ReadState.unavailable(namespace);
    }
    Arrivals arrivals = newest.arrivals().getOrDefault(namespace, Arrivals.NONE);
    OwnedRanges owned = past.collection(namespace);
    if (owned == null && arrivals.withoutRanges()) {
      return now.withOnly(List.of());
    }
    if (!isSame(owned, received)) {
      throw ReadState.unavailable(namespace);
    }
    for (RangeMove move : past.undecidedMoves(namespace)) {
      if (hasCome(move.id(), namespace, newest, arrivals, time)) {
        owned = owned.with(move.range(), owned.version());
      }
    }
    return owned;
  }

  private static boolean isSame(OwnedRanges owned, ChunkVersion received) {
    return owned != null && owned.version().isSameCollection(received);
  }

  /** What is undecided to this day has not left the donor, or the donor tells the router so. */
  private static boolean hasCome(
      UUID migration, Namespace namespace, ShardTables newest, Arrivals arrivals, long time) {
    if (newest.undecidedMoves(namespace).stream().anyMatch(move -> move.id().equals(migration))) {
      return false;
    }
    Long at = arrivals.times().get(migration);
    if (at == null) {
      throw ReadState.unavailable(namespace);
    }
    return Long.compareUnsigned(at, time) <= 0;
  }

  /**
   * Fails where a collection that was not here in the state that is read may have been elsewhere.
   */
  static void checkMissing(
      Namespace namespace, ShardTables past, ShardTables newest, OperationContext operation) {
    RequestVersions routed = OperationState.routed(operation);
    try {
      past.check(namespace, routed);
    } catch (StaleConfigException e) {
      var unused = of(namespace, past, newest, operation);
    } catch (StaleDatabaseException e) {
      DatabaseVersion database = routed.databases().get(namespace.database());
      boolean created = database.lastMod() == 1 && past.database(namespace.database()) == null;
      if (!created) {
        throw ReadState.unavailable(namespace);
      }
    }
  }
}
