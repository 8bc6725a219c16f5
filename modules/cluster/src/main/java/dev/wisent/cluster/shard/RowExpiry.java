package dev.wisent.cluster.shard;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Deletes rows that no late message concerns any more, by the time in their field {@code at}.
 * Thread-safe.
 */
final class RowExpiry {
  static final String TIME = "at";

  /** No message comes later than that. */
  private static final Duration KEPT = Duration.ofHours(1);

  private static final long PERIOD_NANOS = Duration.ofMinutes(5).toNanos();

  private final TableRows rows;
  private final Namespace table;
  private final Clock clock;
  private final AtomicLong lastNanos;

  RowExpiry(TableRows rows, Namespace table, Clock clock) {
    this.rows = rows;
    this.table = table;
    this.clock = clock;
    this.lastNanos = new AtomicLong(clock.monotonicNanos());
  }

  /** Marks a row as of now. */
  BsonBuilder stamp(BsonBuilder row) {
    return row.appendDate(TIME, clock.wallMillis());
  }

  /** Deletes what is old, now and then. */
  void purge(OperationContext operation) {
    long last = lastNanos.get();
    long now = clock.monotonicNanos();
    if (now - last < PERIOD_NANOS || !lastNanos.compareAndSet(last, now)) {
      return;
    }
    RawDocument old =
        new BsonBuilder()
            .startDocument(TIME)
            .appendDate("$lt", clock.wallMillis() - KEPT.toMillis())
            .end()
            .toDocument();
    rows.deleteAll(operation, table, old);
  }
}
