package dev.wisent.cluster.config.metadata;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ConnectionString;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.CommandReplies;
import dev.wisent.wire.client.HostSelector;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.ReplicaSetMonitor;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The replica sets of the shards, as {@code config.shards} names them: who is primary, and calls to
 * it. Thread-safe.
 */
public final class ShardPrimaries implements ShardCaller, AutoCloseable {
  /** How long an operation without a limit waits for a primary. */
  private static final long PRIMARY_MILLIS_MAX = TimeUnit.SECONDS.toMillis(20);

  /** How long a shard may take for one command where the caller sets no limit. */
  private static final long CALL_MILLIS_MAX = TimeUnit.HOURS.toMillis(24);

  /** How long a shard that has a primary may take for an answer that can be done without. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(3);

  private static final int ATTEMPTS_MAX = 5;

  private final CatalogStore store;
  private final NodeClient nodes;
  private final Clock clock;
  private final BackgroundLoops loops;
  private final Map<String, ReplicaSetMonitor> monitors = new ConcurrentHashMap<>();

  public ShardPrimaries(CatalogStore store, NodeClient nodes, Clock clock, BackgroundLoops loops) {
    this.store = store;
    this.nodes = nodes;
    this.clock = clock;
    this.loops = loops;
  }

  @Override
  public RawDocument run(
      OperationContext operation, String shard, String database, Supplier<RawDocument> command) {
    RawDocument document = store.findById(operation, "shards", shard);
    if (document == null) {
      throw shardNotFound(shard);
    }
    return run(operation, monitor(DocumentFields.text(document, "host")), database, command);
  }

  public static CommandException shardNotFound(String shard) {
    return new CommandException(ErrorCode.SHARD_NOT_FOUND, "Shard " + shard + " does not exist");
  }

  /** The monitor of a set; one for each name. */
  public ReplicaSetMonitor monitor(String connectionString) {
    ConnectionString set = ConnectionString.parse(connectionString);
    return monitors.computeIfAbsent(
        set.setName(), name -> new ReplicaSetMonitor(nodes, name, set.hosts(), clock, loops));
  }

  /** Forgets a set that is no shard any more. */
  public void forget(String setName) {
    ReplicaSetMonitor monitor = monitors.remove(setName);
    if (monitor != null) {
      monitor.close();
    }
  }

  /** Sends a command to the primary of a set, again after an election. */
  public RawDocument run(
      OperationContext operation, ReplicaSetMonitor monitor, String database, RawDocument command) {
    return run(operation, monitor, database, () -> command);
  }

  private RawDocument run(
      OperationContext operation,
      ReplicaSetMonitor monitor,
      String database,
      Supplier<RawDocument> command) {
    for (int attempt = 1; ; attempt++) {
      Duration wait = Duration.ofMillis(operation.millisLeft(PRIMARY_MILLIS_MAX));
      HostAndPort primary = await(operation, monitor.select(HostSelector.primary(), wait));
      Duration timeout = Duration.ofMillis(operation.millisLeft(CALL_MILLIS_MAX));
      try {
        NodeRequest request = NodeRequest.of(database, command.get(), timeout);
        RawDocument reply = await(operation, nodes.call(primary, request));
        CommandReplies.requireOk(reply);
        return reply;
      } catch (CommandException e) {
        operation.checkNow();
        if (!isOfAnotherPrimary(e.code())) {
          throw e;
        }
        if (attempt == ATTEMPTS_MAX) {
          // Not the same error: for a client it would be about this member.
          throw new CommandException(
              ErrorCode.FAILED_TO_SATISFY_READ_PREFERENCE,
              "No primary of the set %s has answered :: caused by :: %s"
                  .formatted(monitor.description().setName(), e.getMessage()));
        }
        monitor.failed(primary, e.getMessage());
      }
    }
  }

  @Override
  public Map<String, RawDocument> runAll(
      OperationContext operation, String database, Map<String, RawDocument> commands) {
    var failure = new CompletableFuture<Void>();
    var calls = new LinkedHashMap<String, CompletableFuture<RawDocument>>();
    commands.forEach(
        (shard, command) -> {
          OperationContext part = OperationContext.internal(clock);
          part.limitMillis(operation.millisLeft(CALL_MILLIS_MAX));
          part.stopCheck(
              () -> {
                operation.checkNow();
                if (failure.isDone()) {
                  throw new CommandException(ErrorCode.INTERRUPTED, "another shard has failed");
                }
              });
          var call = new CompletableFuture<RawDocument>();
          calls.put(shard, call);
          loops
              .scheduler()
              .run(
                  "shard-call",
                  () -> {
                    try {
                      call.complete(run(part, shard, database, command));
                    } catch (RuntimeException e) {
                      failure.completeExceptionally(e);
                      call.completeExceptionally(e);
                    }
                  });
        });
    var all = CompletableFuture.allOf(calls.values().toArray(CompletableFuture[]::new));
    await(operation, CompletableFuture.anyOf(all, failure));
    var replies = new LinkedHashMap<String, RawDocument>();
    calls.forEach((shard, call) -> replies.put(shard, call.join()));
    return replies;
  }

  @Override
  public Map<String, RawDocument> ask(
      OperationContext operation,
      List<RawDocument> shards,
      String database,
      RawDocument command,
      Duration primaryMax) {
    var answers = new LinkedHashMap<String, CompletableFuture<RawDocument>>();
    NodeRequest request = NodeRequest.of(database, command, ANSWER_MAX);
    long deadlineNanos = clock.monotonicNanos() + primaryMax.toNanos();
    for (RawDocument shard : shards) {
      ReplicaSetMonitor monitor = monitor(DocumentFields.text(shard, "host"));
      answers.put(shard.get("_id").asString(), answer(monitor, request, deadlineNanos, 1));
    }
    var all = CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new));
    await(operation, all.exceptionally(failure -> null));
    var replies = new LinkedHashMap<String, RawDocument>();
    answers.forEach(
        (shard, answer) -> {
          if (!answer.isCompletedExceptionally() && CommandReplies.isOk(answer.join())) {
            replies.put(shard, answer.join());
          }
        });
    return replies;
  }

  /**
   * The answer of a primary. One that says nothing may be gone without being missed yet: the next
   * one is asked, if there is one in time.
   */
  private CompletableFuture<RawDocument> answer(
      ReplicaSetMonitor monitor, NodeRequest request, long deadlineNanos, int attempt) {
    Duration left = Duration.ofNanos(Math.max(0, deadlineNanos - clock.monotonicNanos()));
    return monitor
        .select(HostSelector.primary(), left)
        .thenCompose(
            host ->
                nodes
                    .call(host, request)
                    .exceptionallyCompose(
                        failure -> {
                          if (attempt == ATTEMPTS_MAX
                              || deadlineNanos - clock.monotonicNanos() <= 0) {
                            return CompletableFuture.failedFuture(failure);
                          }
                          monitor.failed(host, failure.getMessage());
                          return answer(monitor, request, deadlineNanos, attempt + 1);
                        }));
  }

  /** Whether an error is about the state of nodes, and another attempt may succeed. */
  public static boolean mayPass(ErrorCode code) {
    return isOfAnotherPrimary(code)
        || code == ErrorCode.FAILED_TO_SATISFY_READ_PREFERENCE
        || code == ErrorCode.MAX_TIME_MS_EXPIRED
        || code == ErrorCode.INTERRUPTED
        || code == ErrorCode.NETWORK_TIMEOUT
        || code == ErrorCode.INTERNAL_ERROR;
  }

  private static boolean isOfAnotherPrimary(ErrorCode code) {
    return switch (code) {
      case HOST_UNREACHABLE,
          NOT_WRITABLE_PRIMARY,
          PRIMARY_STEPPED_DOWN,
          INTERRUPTED_DUE_TO_REPL_STATE_CHANGE,
          INTERRUPTED_AT_SHUTDOWN,
          SHUTDOWN_IN_PROGRESS ->
          true;
      default -> false;
    };
  }

  /** Waits for an answer; the end of the operation ends the call. */
  public static <T> T await(OperationContext operation, CompletableFuture<T> answer) {
    try {
      operation.await(
          nanos -> {
            try {
              var unused = answer.get(nanos, TimeUnit.NANOSECONDS);
              return true;
            } catch (TimeoutException e) {
              return false;
            } catch (ExecutionException e) {
              return true;
            }
          });
      return answer.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof CommandException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      answer.cancel(true);
    }
  }

  @Override
  public void close() {
    monitors.values().forEach(ReplicaSetMonitor::close);
    monitors.clear();
  }
}
