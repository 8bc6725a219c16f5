package dev.wisent.cluster.router.read;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.OperationContext;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What pipelines of this router gather on shards. A shard drops what it has not heard of for a
 * while, so that nothing is left of a router that has gone. Thread-safe.
 */
public final class OpenOutputs {
  /** How often shards are told; they wait several times as long. */
  public static final Duration PERIOD = Duration.ofSeconds(5);

  private static final long CALL_MILLIS_MAX = 4_000;

  private final ShardCalls calls;
  private final Clock clock;
  private final RandomSource random;
  private final Set<Output> open = ConcurrentHashMap.newKeySet();

  /** Documents that a shard holds for a pipeline. */
  interface Output {
    /** What tells the shard that they are still wanted. */
    ShardRequest heartbeat();
  }

  public OpenOutputs(ShardCalls calls, Clock clock, RandomSource random) {
    this.calls = calls;
    this.clock = clock;
    this.random = random;
  }

  /** A name that no other output has. */
  String name() {
    return random.nextUuid().toString();
  }

  void add(Output output) {
    open.add(output);
  }

  void remove(Output output) {
    open.remove(output);
  }

  /** Tells all shards at once; one that does not answer is told again the next time. */
  public void tell() {
    List<ShardRequest> requests = open.stream().map(Output::heartbeat).toList();
    if (!requests.isEmpty()) {
      OperationContext operation = OperationContext.internal(clock);
      operation.limitMillis(CALL_MILLIS_MAX);
      var unused = calls.callAll(operation, requests);
    }
  }
}
