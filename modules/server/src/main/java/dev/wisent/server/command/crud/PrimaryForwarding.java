package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.CommandReplies;
import dev.wisent.wire.client.NodeRequest;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Has the primary run a command that arrived at a secondary and writes: drivers send pipelines with
 * {@code $out} or {@code $merge} to secondaries if the read preference says so. The primary reads
 * too, so its result is at least as new as what this member could read.
 */
final class PrimaryForwarding {
  /** So that a client that has gone, or a killOp, is noticed. */
  private static final long STEP_MILLIS = 100;

  /** Fields of the reply that this member adds itself. */
  private static final Set<String> OF_EVERY_REPLY =
      Set.of("ok", "$clusterTime", "operationTime", "electionId", "opTime", "topologyVersion");

  private final ReplicaSet set;

  /**
   * @param set null on a standalone
   */
  PrimaryForwarding(ReplicaSet set) {
    this.set = set;
  }

  /** Whether writes have to go to another member. */
  boolean isNeeded() {
    return set != null && set.state() != MemberState.PRIMARY;
  }

  void run(CommandRequest request, OperationContext operation, BsonBuilder reply) {
    String primary = set.primary();
    if (primary == null) {
      throw new CommandException(ErrorCode.NOT_WRITABLE_PRIMARY, "no primary is known");
    }
    RawDocument answer = await(call(primary, command(request, operation), operation), operation);
    seenTime(answer, operation);
    CommandReplies.requireOk(answer);
    reply.appendAll(answer.without(OF_EVERY_REPLY));
  }

  /** The command as this client sent it, but for the primary and for the time that is left. */
  private static RawDocument command(CommandRequest request, OperationContext operation) {
    var out = new BsonBuilder(request.body().length() + 64);
    ElementCursor fields = request.body().elements();
    while (fields.next()) {
      switch (fields.name()) {
        case "$readPreference" -> {}
        case "maxTimeMS" -> {
          if (operation.nanosLeft() != Long.MAX_VALUE) {
            long millis = TimeUnit.NANOSECONDS.toMillis(operation.nanosLeft());
            out.appendInt64("maxTimeMS", Math.max(1, millis));
          }
        }
        default -> out.appendElement(fields);
      }
    }
    return out.toDocument();
  }

  private CompletableFuture<RawDocument> call(
      String primary, RawDocument command, OperationContext operation) {
    Duration timeout = Duration.ofNanos(operation.nanosLeft());
    return set.nodes().call(HostAndPort.parse(primary), NodeRequest.of(null, command, timeout));
  }

  /** A call that is not waited for is cancelled, which ends the command on the primary too. */
  private static RawDocument await(
      CompletableFuture<RawDocument> answer, OperationContext operation) {
    try {
      while (true) {
        try {
          return answer.get(STEP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException notYet) {
          operation.checkNow();
        }
      }
    } catch (ExecutionException e) {
      operation.checkNow();
      throw new CommandException(
          ErrorCode.HOST_UNREACHABLE,
          "the primary cannot be asked to write: " + e.getCause().getMessage());
    } catch (InterruptedException e) {
      throw operation.threadInterrupted();
    } finally {
      answer.cancel(true);
    }
  }

  /** A client that reads its writes asks for what the primary has written. */
  private void seenTime(RawDocument answer, OperationContext operation) {
    RawValue time = answer.get("operationTime");
    if (time != null && time.type() == ElementType.TIMESTAMP) {
      set.clock().advanceTo(time.asInt64());
      operation.writes().writtenRemotely(time.asInt64());
    }
  }
}
