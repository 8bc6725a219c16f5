package dev.wisent.cluster.router;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.HostNames;
import dev.wisent.server.ServerVersion;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** Tells the config servers that this router is there: its document in {@code config.mongos}. */
final class RouterPing {
  private static final long LIMIT_MILLIS = 5_000;

  private final ShardCalls calls;
  private final Clock clock;
  private final IntSupplier port;
  private final long startNanos;
  private final long startMillis;

  RouterPing(ShardCalls calls, Clock clock, IntSupplier port) {
    this.calls = calls;
    this.clock = clock;
    this.port = port;
    this.startNanos = clock.monotonicNanos();
    this.startMillis = clock.wallMillis();
  }

  void run() {
    var operation = OperationContext.internal(clock);
    operation.limitMillis(LIMIT_MILLIS);
    var command = new BsonBuilder();
    command.appendString("update", "mongos").startArray("updates").startDocument(0);
    String name = HostNames.local() + ":" + port.getAsInt();
    command.startDocument("q").appendString("_id", name).end();
    command.startDocument("u").startDocument("$set");
    command.appendDate("ping", clock.wallMillis());
    command.appendInt64("up", upSeconds());
    command.appendBoolean("waiting", true);
    command.appendString("mongoVersion", ServerVersion.COMPATIBLE_WITH);
    command.startArray("advisoryHostFQDNs").end();
    command.end().startDocument("$setOnInsert").appendDate("created", startMillis).end().end();
    command.appendBoolean("upsert", true).end().end();
    calls.call(operation, ShardRequest.control(ShardCalls.CONFIG, "config", command.toDocument()));
  }

  private long upSeconds() {
    return TimeUnit.NANOSECONDS.toSeconds(clock.monotonicNanos() - startNanos);
  }
}
