package dev.wisent.cluster.router;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.wire.client.ClusterTimeGossip;
import java.util.concurrent.atomic.AtomicLong;

/** The newest cluster time that a shard or a client has told. Thread-safe. */
final class RouterTimes implements ClusterTimeGossip {
  private static final int SIGNATURE_BYTES = 20;
  private static final byte GENERIC_BINARY = 0;

  private final AtomicLong newest = new AtomicLong();

  @Override
  public void appendTo(BsonBuilder out) {
    long time = newest.get();
    if (time == 0) {
      return;
    }
    out.startDocument("$clusterTime").appendTimestamp("clusterTime", time);
    out.startDocument("signature");
    out.appendBinary("hash", GENERIC_BINARY, new byte[SIGNATURE_BYTES]).appendInt64("keyId", 0);
    out.end().end();
  }

  @Override
  public void received(RawDocument clusterTime) {
    RawValue time = clusterTime.get("clusterTime");
    if (time != null && time.type() == ElementType.TIMESTAMP) {
      newest.accumulateAndGet(
          time.asInt64(), (one, other) -> Long.compareUnsigned(one, other) > 0 ? one : other);
    }
  }
}
