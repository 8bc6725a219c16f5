package dev.wisent.cluster.router;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.sharding.ShardInfo;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Has the shards keep states of the recent past while transactions are run that read a snapshot: a
 * statement may come to a shard long after the time that it reads. Thread-safe.
 */
final class SnapshotKeeper {
  private static final RawDocument COMMAND =
      new BsonBuilder().appendInt32("_shardsvrKeepSnapshots", 1).toDocument();

  /** Less than the time for which a shard goes on with it. */
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** A shard that does not answer in this time may fail transactions, which then begin anew. */
  private static final long WAIT_MILLIS_MAX = 2_000;

  private final RoutingCatalog catalog;
  private final ShardCalls calls;
  private final Clock clock;
  private volatile long untilNanos;
  private volatile boolean asked;

  SnapshotKeeper(RoutingCatalog catalog, ShardCalls calls, Clock clock) {
    this.catalog = catalog;
    this.calls = calls;
    this.clock = clock;
  }

  /** To be called before a time is chosen. */
  void use(OperationContext operation) {
    if (!asked || clock.monotonicNanos() - untilNanos > 0) {
      ask(operation);
    }
  }

  private synchronized void ask(OperationContext operation) {
    if (asked && clock.monotonicNanos() - untilNanos <= 0) {
      return;
    }
    OperationContext own = OperationContext.internal(clock);
    own.limitMillis(WAIT_MILLIS_MAX);
    var requests = new ArrayList<ShardRequest>();
    for (ShardInfo shard : catalog.shards(operation)) {
      requests.add(ShardRequest.control(shard.name(), "admin", COMMAND));
    }
    try {
      var unused = calls.callAll(own, requests);
    } catch (CommandException e) {
      operation.checkNow();
    }
    untilNanos = clock.monotonicNanos() + PERIOD_NANOS;
    asked = true;
  }
}
