package dev.wisent.cluster.router.stream;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCall;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.wire.HostAndPort;
import java.util.HashMap;
import java.util.Map;

/**
 * Has shards pass times that streams wait for: a shard without writes would hold the events of all
 * others back. A member gets one request at a time, for the latest time that any stream of this
 * router waits for. Thread-safe.
 */
final class PassedTimes {
  private static final long CALL_MILLIS_MAX = 5_000;

  private final ShardCalls calls;
  private final Clock clock;

  /** Members that are being asked, with the time to ask them for next. */
  private final Map<HostAndPort, Long> running = new HashMap<>(); // guarded by this

  PassedTimes(ShardCalls calls, Clock clock) {
    this.calls = calls;
    this.clock = clock;
  }

  /** Asks without waiting. A caller for which nothing comes of it asks again. */
  void ask(String shard, HostAndPort member, long time) {
    synchronized (this) {
      Long later = running.get(member);
      if (later != null) {
        running.put(member, Long.compareUnsigned(later, time) > 0 ? later : time);
        return;
      }
      running.put(member, 0L);
    }
    send(shard, member, time);
  }

  private void send(String shard, HostAndPort member, long time) {
    OperationContext own = OperationContext.internal(clock);
    own.limitMillis(CALL_MILLIS_MAX);
    ShardCall call;
    try {
      call = calls.start(own, request(shard, time).at(member));
    } catch (CommandException e) {
      var unused = next(member); // The shard is known no longer.
      return;
    }
    call.whenDone(() -> ended(call, own, shard, member, time));
  }

  private static ShardRequest request(String shard, long time) {
    RawDocument command = new BsonBuilder().appendTimestamp("_passClusterTime", time).toDocument();
    return ShardRequest.control(shard, "admin", command);
  }

  private void ended(
      ShardCall call, OperationContext own, String shard, HostAndPort member, long time) {
    long later = next(member);
    try {
      ShardReply reply = call.await(own);
      RawValue passed = reply.isOk() ? reply.body().get("passed") : null;
      if (reply.isOk() && (passed == null || !passed.isTruthy())) {
        // Another member is the primary.
        calls.start(own, request(shard, time)).whenDone(() -> {});
      }
    } catch (CommandException e) {
      // The stream asks again, or finds the shard's error itself.
    }
    if (later != 0) {
      ask(shard, member, later);
    }
  }

  /** The time to ask a member for, now that it has answered; 0 for none. */
  private synchronized long next(HostAndPort member) {
    return running.remove(member);
  }
}
