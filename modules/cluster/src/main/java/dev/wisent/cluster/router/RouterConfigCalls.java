package dev.wisent.cluster.router;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.RemoteCursor;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.analysis.ConfigCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The config servers keep analyzers and samples of the whole cluster. */
final class RouterConfigCalls implements ConfigCalls {
  /** A router that has not been heard of for so long has no part in the rate. */
  private static final long SILENT_MILLIS = TimeUnit.SECONDS.toMillis(60);

  private static final RawDocument ASK =
      RawDocument.parse("{find: 'queryAnalyzers', filter: {mode: 'full'}}");

  private final ShardCalls calls;
  private final Clock clock;

  RouterConfigCalls(ShardCalls calls, Clock clock) {
    this.calls = calls;
    this.clock = clock;
  }

  @Override
  public RawDocument call(OperationContext operation, RawDocument command) {
    return calls.call(operation, ShardRequest.control(ShardCalls.CONFIG, "config", command));
  }

  @Override
  public List<RawDocument> analyzers(OperationContext operation) {
    var analyzers = new ArrayList<RawDocument>();
    ShardReply reply =
        calls.exchange(operation, ShardRequest.control(ShardCalls.CONFIG, "config", ASK));
    try (var cursor = new RemoteCursor(calls, reply, operation, RemoteCursor.Tailing.NONE, 0)) {
      for (RawDocument each; (each = cursor.peek()) != null; cursor.take()) {
        analyzers.add(each);
      }
    }
    return analyzers;
  }

  @Override
  public boolean isReachable() {
    return true;
  }

  /** All routers together have the rate, each the same part of it. */
  @Override
  public double share(OperationContext operation) {
    var count = new BsonBuilder().appendString("count", "mongos").startDocument("query");
    count.startDocument("ping").appendDate("$gt", clock.wallMillis() - SILENT_MILLIS).end().end();
    long routers = call(operation, count.toDocument()).get("n").toLong();
    return 1.0 / Math.max(1, routers);
  }
}
