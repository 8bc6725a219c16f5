package dev.wisent.cluster.config.balancer;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ObjectIds;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.operation.OperationContext;
import java.time.Instant;
import java.util.function.Supplier;

/** Rounds of the balancer as lines of {@code config.actionlog}. */
final class ActionLog {
  private final CatalogStore store;
  private final Supplier<String> self;
  private final ObjectIds ids;
  private final Clock clock;

  /**
   * @param self this member's {@code host:port}
   */
  ActionLog(CatalogStore store, Supplier<String> self, ObjectIds ids, Clock clock) {
    this.store = store;
    this.self = self;
    this.ids = ids;
    this.clock = clock;
  }

  void succeeded(OperationContext operation, long millis, RoundResult result) {
    write(
        operation,
        new BsonBuilder()
            .appendInt64("executionTimeMillis", millis)
            .appendBoolean("errorOccurred", false)
            .appendInt32("candidateChunks", result.candidates())
            .appendInt32("chunksMoved", result.moved())
            .appendInt32("imbalancedCachedCollections", result.imbalanced())
            .toDocument());
  }

  void failed(OperationContext operation, long millis, String error) {
    write(
        operation,
        new BsonBuilder()
            .appendInt64("executionTimeMillis", millis)
            .appendBoolean("errorOccurred", true)
            .appendString("errmsg", error)
            .toDocument());
  }

  private void write(OperationContext operation, RawDocument details) {
    String server = String.valueOf(self.get());
    long now = clock.wallMillis();
    store.put(
        operation,
        "actionlog",
        new BsonBuilder()
            .appendString("_id", server + "-" + Instant.ofEpochMilli(now) + "-" + ids.get())
            .appendString("server", server)
            .appendString("shard", CatalogStore.DATABASE)
            .appendString("clientAddr", "")
            .appendDate("time", now)
            .appendString("what", "balancer.round")
            .appendString("ns", "")
            .appendDocument("details", details)
            .toDocument());
  }
}
