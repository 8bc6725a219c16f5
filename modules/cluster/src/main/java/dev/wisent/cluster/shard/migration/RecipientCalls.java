package dev.wisent.cluster.shard.migration;

import dev.wisent.base.CommandException;
import dev.wisent.base.RetryableErrors;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.cluster.call.ShardRequest.Purpose;
import dev.wisent.operation.OperationContext;
import dev.wisent.wire.DocumentSequence;
import dev.wisent.wire.client.RemoteErrorException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What a donor tells the recipient. All of it can be repeated, and is, after an election. */
public final class RecipientCalls {
  private static final int ATTEMPTS_MAX = 10;
  private static final long CALL_MILLIS_MAX = TimeUnit.MINUTES.toMillis(5);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Supplier<ShardCalls> calls;

  public RecipientCalls(Supplier<ShardCalls> calls) {
    this.calls = calls;
  }

  /** An operation without what the store keeps with it. */
  private static OperationContext partOf(OperationContext operation) {
    OperationContext part = OperationContext.internal(operation.clock());
    part.limitMillis(operation.millisLeft(CALL_MILLIS_MAX));
    part.stopCheck(operation::checkNow);
    return part;
  }

  RawDocument call(
      OperationContext operation,
      Migration migration,
      String command,
      Consumer<BsonBuilder> arguments,
      List<DocumentSequence> sequences) {
    var body = new BsonBuilder(512).appendString(command, migration.namespace().full());
    migration.appendArguments(body);
    arguments.accept(body);
    return call(operation, migration.to(), body.toDocument(), sequences);
  }

  /** Sends a command that can be repeated to a shard. */
  public RawDocument call(
      OperationContext operation,
      String shard,
      RawDocument command,
      List<DocumentSequence> sequences) {
    var request = new ShardRequest(shard, "admin", command, sequences, Purpose.CONTROL, null, null);
    for (int attempt = 1; ; attempt++) {
      try {
        return calls.get().call(partOf(operation), request);
      } catch (CommandException e) {
        operation.checkNow();
        if (attempt == ATTEMPTS_MAX
            || !RetryableErrors.isRetryable(RemoteErrorException.numberOf(e))) {
          throw e;
        }
        LockSupport.parkNanos(attempt * PAUSE_NANOS);
      }
    }
  }
}
