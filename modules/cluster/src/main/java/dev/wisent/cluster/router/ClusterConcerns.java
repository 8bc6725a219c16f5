package dev.wisent.cluster.router;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.CommandTrait;
import dev.wisent.server.command.TransactionUse;
import dev.wisent.server.command.concern.DefaultReadConcern;
import dev.wisent.wire.client.HostSelector;

/**
 * The concerns that {@code setDefaultRWConcern} has given the cluster. The config servers keep
 * them, and shards do not know them: a router adds them to what clients send without any.
 */
final class ClusterConcerns {
  private static final long LIMIT_MILLIS = 5_000;
  private static final String FIND =
      "{find: 'settings', filter: {_id: 'ReadWriteConcernDefaults'}, limit: 1%s}";
  private static final RawDocument ASK = RawDocument.parse(FIND.formatted(""));

  /** Any member answers, also where there is no majority of them. */
  private static final ShardRequest ASK_ANY =
      ShardRequest.read(
              ShardCalls.CONFIG,
              "config",
              RawDocument.parse(FIND.formatted(", $readPreference: {mode: 'nearest'}")))
          .from(HostSelector.of(HostSelector.Mode.NEAREST));

  private final ShardCalls calls;
  private final Clock clock;
  private volatile Defaults known;

  /**
   * What is set.
   *
   * @param read null where nothing is
   * @param write null where nothing is
   * @param time when that was, as a cluster time
   */
  private record Defaults(RawDocument read, RawDocument write, long time) {
    static final Defaults NONE = new Defaults(null, null, 0);
  }

  ClusterConcerns(ShardCalls calls, Clock clock) {
    this.calls = calls;
    this.clock = clock;
  }

  /** Reads them again, as a periodic job. */
  void refresh() {
    var operation = OperationContext.internal(clock);
    operation.limitMillis(LIMIT_MILLIS);
    take(calls.call(operation, ASK_ANY));
  }

  /** Reads them again after a change. */
  void refresh(OperationContext operation) {
    take(calls.call(operation, ShardRequest.control(ShardCalls.CONFIG, "config", ASK)));
  }

  /** A member may be behind: what was set later stays. */
  private synchronized void take(RawDocument reply) {
    ElementCursor found = reply.get("cursor").asDocument().get("firstBatch").elements();
    Defaults seen = found.next() ? of(found.value().asDocument()) : Defaults.NONE;
    if (known == null || known.time() <= seen.time()) {
      known = seen;
    }
  }

  private static Defaults of(RawDocument stored) {
    RawValue time = stored.get("updateOpTime");
    return new Defaults(
        concern(stored.get("defaultReadConcern")),
        concern(stored.get("defaultWriteConcern")),
        time == null ? 0 : time.asInt64());
  }

  private static RawDocument concern(RawValue value) {
    if (value == null || !value.isDocument() || value.asDocument().isEmpty()) {
      return null;
    }
    var out = new BsonBuilder().appendAll(value.asDocument());
    return out.appendString("provenance", "customDefault").toDocument();
  }

  /** The request with the defaults where it says nothing. */
  CommandRequest applyTo(CommandRequest request, CommandSpec spec) {
    boolean writes = request.writeConcern() == null && takesWriteConcern(request, spec);
    boolean reads = DefaultReadConcern.isTakenBy(request, spec);
    if (!writes && !reads) {
      return request;
    }
    Defaults defaults = defaults();
    CommandRequest result = request;
    if (writes && defaults.write() != null) {
      result = result.with("writeConcern", defaults.write());
    }
    if (reads && defaults.read() != null && DefaultReadConcern.isUsable(defaults.read(), request)) {
      result = result.with("readConcern", defaults.read());
    }
    return result;
  }

  private static boolean takesWriteConcern(CommandRequest request, CommandSpec spec) {
    return spec.is(CommandTrait.WRITE_CONCERN)
        && (!request.isInTransaction() || spec.scope().transaction() == TransactionUse.ENDS);
  }

  private Defaults defaults() {
    if (known == null) {
      try {
        refresh();
      } catch (CommandException unreachable) {
        // The job asks again; until then it is as if none were set.
        return noneIfUnknown();
      }
    }
    return known;
  }

  /** The job may have learned of them meanwhile. */
  private synchronized Defaults noneIfUnknown() {
    if (known == null) {
      known = Defaults.NONE;
    }
    return known;
  }
}
