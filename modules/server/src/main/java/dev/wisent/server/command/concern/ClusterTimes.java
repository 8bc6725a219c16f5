package dev.wisent.server.command.concern;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.command.ArgumentTypes;

/**
 * The gossip of cluster times: requests bring what a client has seen elsewhere, replies tell what
 * this member knows. Times are not signed, as there is no authentication.
 */
public final class ClusterTimes {
  private static final int SECONDS_SHIFT = 32;
  private static final int SIGNATURE_BYTES = 20;
  private static final byte GENERIC_BINARY = 0;

  private final ReplicaSet set;

  ClusterTimes(ReplicaSet set) {
    this.set = set;
  }

  /** Learns of the time that a client knows; null for one that knows none. */
  void receive(RawDocument signed, OperationContext operation) {
    if (signed == null) {
      return;
    }
    long time = checked(signed, set.clock().now(), operation.clock());
    if (Long.compareUnsigned(time, set.clock().now()) > 0) {
      set.clock().advanceTo(time);
    }
  }

  /**
   * The time that a client knows. A client whose clock is wrong must not make all of ours useless.
   *
   * @param known the newest time that is known here: what is not newer does no harm
   */
  public static long checked(RawDocument signed, long known, Clock clock) {
    RawValue time = signed.get("clusterTime");
    if (time == null) {
      throw ArgumentTypes.missing("$clusterTime.clusterTime");
    }
    if (time.type() != ElementType.TIMESTAMP) {
      throw ArgumentTypes.wrongType("$clusterTime.clusterTime", time.type(), "timestamp");
    }
    if (Long.compareUnsigned(time.asInt64(), known) > 0) {
      checkDrift(time.asInt64(), clock.wallMillis() / 1000);
    }
    return time.asInt64();
  }

  private static void checkDrift(long time, long wallSeconds) {
    long seconds = time >>> SECONDS_SHIFT;
    if (seconds - wallSeconds > Limits.CLUSTER_TIME_DRIFT_SECONDS_MAX) {
      throw new CommandException(
          ErrorCode.CLUSTER_TIME_FAILS_RATE_LIMITER,
          "New clusterTime, %d, is too far from this node's wall clock time, %d."
              .formatted(seconds, wallSeconds));
    }
  }

  /** Ends a reply with what is known; the operation is null for a request that never became one. */
  void send(OperationContext operation, BsonBuilder reply) {
    long operationTime = operationTime(operation);
    long clusterTime = set.clock().now();
    if (Long.compareUnsigned(clusterTime, operationTime) < 0) {
      clusterTime = operationTime;
    }
    if (clusterTime == 0) {
      return;
    }
    append(clusterTime, reply);
    if (operationTime != 0) {
      reply.appendTimestamp("operationTime", operationTime);
    }
  }

  /** Adds {@code $clusterTime} to a request or a reply. */
  public static void append(long clusterTime, BsonBuilder message) {
    message.startDocument("$clusterTime");
    message.appendTimestamp("clusterTime", clusterTime);
    message.startDocument("signature");
    message.appendBinary("hash", GENERIC_BINARY, new byte[SIGNATURE_BYTES]);
    message.appendInt64("keyId", 0);
    message.end();
    message.end();
  }

  /** When the operation's write happened, or the last one that a read could see. */
  private long operationTime(OperationContext operation) {
    long written = writtenAt(operation);
    if (written == 0 && operation != null) {
      written = operation.writes().remoteTime();
    }
    return written != 0 ? written : set.lastApplied().timestamp();
  }

  /** When the operation's last write happened; 0 if it made none that is replicated. */
  static long writtenAt(OperationContext operation) {
    return operation == null ? 0 : operation.lastWriteTime();
  }

  static String text(long time) {
    return "{ ts: Timestamp(%d, %d) }".formatted(time >>> SECONDS_SHIFT, time & 0xFFFF_FFFFL);
  }
}
