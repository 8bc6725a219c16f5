package dev.wisent.cluster.router;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.RoutedOperation;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.concern.ClusterTimes;
import dev.wisent.wire.client.ClusterTimeGossip;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The newest cluster time that clients and nodes have told this router, which it passes on to both.
 * Thread-safe.
 */
final class RouterTimes implements ClusterTimeGossip {
  private static final String FIELD = "$clusterTime";

  private final AtomicReference<RawDocument> newest = new AtomicReference<>();

  @Override
  public void appendTo(BsonBuilder request) {
    RawDocument time = newest.get();
    if (time != null) {
      request.appendDocument(FIELD, time);
    }
  }

  @Override
  public void received(RawDocument clusterTime) {
    if (timeOf(clusterTime) == 0) {
      return;
    }
    newest.accumulateAndGet(
        clusterTime,
        (known, told) ->
            known == null || Long.compareUnsigned(timeOf(told), timeOf(known)) > 0
                ? told.detached()
                : known);
  }

  /** Learns of the time that a client knows, if it can be true. */
  void receivedFrom(RawDocument clusterTime, Clock clock) {
    var unused = ClusterTimes.checked(clusterTime, newest(), clock);
    received(clusterTime);
  }

  private static long timeOf(RawDocument signed) {
    RawValue time = signed.get("clusterTime");
    return time != null && time.type() == ElementType.TIMESTAMP ? time.asInt64() : 0;
  }

  /** The newest cluster time, as the 64 bits of a BSON timestamp; 0 if none is known. */
  long newest() {
    RawDocument time = newest.get();
    return time == null ? 0 : timeOf(time);
  }

  /** Ends a reply with the times that drivers remember. */
  void appendTo(BsonBuilder reply, OperationContext operation) {
    RawDocument time = newest.get();
    if (time == null) {
      return;
    }
    reply.appendDocument(FIELD, time);
    RoutedOperation routed = operation == null ? null : RoutedOperation.of(operation);
    long operationTime = routed == null ? 0 : routed.lastWriteTime();
    reply.appendTimestamp("operationTime", operationTime == 0 ? timeOf(time) : operationTime);
  }
}
