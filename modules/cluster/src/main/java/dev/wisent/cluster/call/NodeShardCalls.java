package dev.wisent.cluster.call;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardRequest.Purpose;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.CommandReplies;
import dev.wisent.wire.client.HostDescription.Kind;
import dev.wisent.wire.client.HostSelector;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.RemoteErrorException;
import dev.wisent.wire.client.ReplicaSetMonitor;
import dev.wisent.wire.client.SentCall;
import dev.wisent.wire.client.SetDescription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** Calls shards over pooled connections, at the members that their monitors name. Thread-safe. */
public final class NodeShardCalls implements ShardCalls {
  /** How long a call waits for a member that may answer it, as mongos does. */
  private static final Duration HOST_WAIT_MAX = Duration.ofSeconds(15);

  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final Duration KILL_TIMEOUT = Duration.ofSeconds(10);

  /** So that a client that has gone, or a killOp, is noticed. */
  private static final long STEP_MILLIS = 100;

  private final NodeClient client;
  private final ShardSets sets;
  private final RandomSource random;

  /**
   * @param random makes the keys of changes
   */
  public NodeShardCalls(NodeClient client, ShardSets sets, RandomSource random) {
    this.client = client;
    this.sets = sets;
    this.random = random;
  }

  @Override
  public ShardCall start(OperationContext operation, ShardRequest request) {
    return start(operation, request, false);
  }

  /** The thread of the operation makes the calls: it sends all, and then reads their replies. */
  @Override
  public List<ShardReply> callAll(OperationContext operation, List<ShardRequest> requests) {
    return ShardCalls.replies(operation, requests, request -> start(operation, request, true));
  }

  @Override
  public ShardReply exchange(OperationContext operation, ShardRequest request) {
    return start(operation, request, true).await(operation);
  }

  private ShardCall start(OperationContext operation, ShardRequest asked, boolean here) {
    ShardRequest request =
        asked.purpose() == Purpose.CHANGE ? asked.keyed(random.nextUuid()) : asked;
    HostSelector hosts = hosts(operation, request);
    boolean repeatable = isRepeatable(operation, request);
    Body body = body(operation, request);
    return begin(operation, new Call(request, hosts, repeatable, body, here));
  }

  /** In a transaction made once, and in the order of the requests: the first begins its part. */
  private static Body body(OperationContext operation, ShardRequest request) {
    if (RoutedOperation.isStatement(operation) && !request.purpose().isOfRouter()) {
      RawDocument made = CallBody.of(operation, request);
      return () -> made;
    }
    return () -> CallBody.of(operation, request);
  }

  /** A call whose whole body is given, but for {@code $clusterTime}. */
  public ShardCall startForwarded(
      OperationContext operation, ShardRequest request, HostSelector hosts, boolean repeatable) {
    return begin(operation, new Call(request, hosts, repeatable, request::command, true));
  }

  private static ShardCall begin(OperationContext operation, Call call) {
    if (call.request.purpose() == Purpose.WRITE && operation.retryableWrite() != null) {
      operation.retryableWrite().beforeCommit();
    }
    call.send(operation);
    return call;
  }

  private static HostSelector hosts(OperationContext operation, ShardRequest request) {
    if (request.hosts() != null) {
      return request.hosts();
    }
    RoutedOperation routed = RoutedOperation.of(operation);
    return request.purpose() == Purpose.READ && routed != null
        ? routed.readers()
        : HostSelector.primary();
  }

  private static boolean isRepeatable(OperationContext operation, ShardRequest request) {
    RoutedOperation routed = RoutedOperation.of(operation);
    boolean ofTransaction = routed != null && routed.request().isInTransaction();
    if (ofTransaction && !request.purpose().isOfRouter()) {
      return false;
    }
    return switch (request.purpose()) {
      case READ, CHANGE -> true;
      case WRITE ->
          operation.retryableWrite() != null || request.command().get("txnNumber") != null;
      case CURSOR, CONTROL -> false;
    };
  }

  @Override
  public void killCursor(String shard, HostAndPort host, Namespace namespace, long id) {
    var command = new BsonBuilder();
    command.appendString("killCursors", namespace.collection());
    command.startArray("cursors").appendInt64("0", id).end();
    var unused =
        client.call(host, NodeRequest.of(namespace.database(), command.toDocument(), KILL_TIMEOUT));
  }

  /** {@code set/host,...}, as its members are known now. */
  public String connectionString(String shard) {
    SetDescription set = sets.of(shard).description();
    return set.hosts().stream()
        .map(each -> each.host().toString())
        .collect(Collectors.joining(",", set.setName() + "/", ""));
  }

  /**
   * Sends a command to every member that answers, of the config servers and of the shards that were
   * used.
   *
   * @return ends without a value when all have replied, or failed
   */
  public CompletableFuture<Void> tellMembers(RawDocument command) {
    return CompletableFuture.allOf(
        sets.descriptions().stream()
            .flatMap(set -> set.hosts().stream())
            .filter(host -> host.kind() == Kind.PRIMARY || host.kind() == Kind.SECONDARY)
            .map(host -> client.call(host.host(), NodeRequest.of("admin", command, KILL_TIMEOUT)))
            .map(call -> call.exceptionally(failure -> null))
            .toArray(CompletableFuture[]::new));
  }

  /** Follows the members of a shard from now on. */
  public void follow(String shard) {
    sets.of(shard);
  }

  /** Makes the body of an attempt. */
  private interface Body {
    RawDocument get();
  }

  private final class Call implements ShardCall {
    private final ShardRequest request;
    private final ReplicaSetMonitor set;
    private final HostSelector hosts;
    private final boolean repeatable;
    private final Body body;
    private final boolean here;
    private volatile HostAndPort host;
    private volatile CompletableFuture<RawDocument> attempt;

    /** The attempt, where the thread of the operation makes it; null otherwise. */
    private SentCall sent;

    /** What the shard has answered; null before. */
    private RawDocument answer;

    private int attempts;

    /**
     * @param here whether the thread of the operation makes the call, which is cheaper
     */
    Call(ShardRequest request, HostSelector hosts, boolean repeatable, Body body, boolean here) {
      this.request = request;
      this.set = sets.of(request.shard());
      this.hosts = hosts;
      this.repeatable = repeatable;
      this.body = body;
      this.here = here;
    }

    void send(OperationContext operation) {
      attempts++;
      sent = null;
      host = request.host() == null ? set.selectNow(hosts) : request.host();
      if (host != null) {
        send(toNode(operation));
        return;
      }
      Duration wait = Duration.ofNanos(Math.min(operation.nanosLeft(), HOST_WAIT_MAX.toNanos()));
      attempt = callSelected(operation, set.select(hosts, wait));
    }

    private void send(NodeRequest toNode) {
      try {
        sent = here ? client.send(host, toNode) : null;
        attempt = sent == null ? client.call(host, toNode) : null;
      } catch (CommandException e) {
        attempt = CompletableFuture.failedFuture(e);
      }
    }

    private NodeRequest toNode(OperationContext operation) {
      return new NodeRequest(
          request.database(),
          body.get(),
          request.sequences(),
          // After the operation's own end, so that what has come by then can be read.
          Duration.ofNanos(
              Math.min(operation.nanosLeft(), Long.MAX_VALUE - LATE_NANOS) + LATE_NANOS));
    }

    /** To cancel it ends the wait for a member, and the call that has begun by then. */
    private CompletableFuture<RawDocument> callSelected(
        OperationContext operation, CompletableFuture<HostAndPort> selected) {
      var result = new CompletableFuture<RawDocument>();
      var unusedSelection =
          selected.whenComplete(
              (found, failure) -> {
                if (failure != null) {
                  result.completeExceptionally(failure);
                } else if (!result.isDone()) {
                  host = found;
                  complete(result, client.call(found, toNode(operation)));
                }
              });
      endWith(result, selected);
      return result;
    }

    private void complete(
        CompletableFuture<RawDocument> result, CompletableFuture<RawDocument> call) {
      var unused =
          call.whenComplete(
              (reply, failure) -> {
                if (failure == null) {
                  result.complete(reply);
                } else {
                  result.completeExceptionally(failure);
                }
              });
      endWith(result, call);
    }

    private void endWith(CompletableFuture<?> result, CompletableFuture<?> part) {
      var unused = result.whenComplete((reply, failure) -> part.cancel(true));
    }

    @Override
    public ShardRequest request() {
      return request;
    }

    @Override
    public boolean isDone() {
      return sent == null && attempt.isDone();
    }

    @Override
    public void whenDone(Runnable action) {
      var unused = attempt.whenComplete((reply, failure) -> action.run());
    }

    @Override
    public boolean isRepeated() {
      return attempts > 1;
    }

    @Override
    public void cancel() {
      if (sent == null) {
        attempt.cancel(true);
      } else if (answer == null) {
        answer = sent.receiveNow();
      }
      if (answer != null) {
        killCursorOf(answer);
      }
    }

    /** The shard would keep the cursor of a reply that is not used. */
    private void killCursorOf(RawDocument reply) {
      RawValue cursor = reply.get("cursor");
      RawValue id = cursor != null && cursor.isDocument() ? cursor.asDocument().get("id") : null;
      RawValue namespace = id == null ? null : cursor.asDocument().get("ns");
      if (namespace != null && id.toLong() != 0) {
        killCursor(request.shard(), host, Namespace.parse(namespace.asString()), id.toLong());
      }
    }

    @Override
    public ShardReply await(OperationContext operation) {
      boolean ended = false;
      try {
        while (true) {
          ShardReply reply = outcome(operation);
          if (reply.isOk()
              || !CallRepeats.areWorthIt(request, repeatable, attempts, reply.error())) {
            ended = true;
            return reply;
          }
          send(operation);
        }
      } finally {
        if (!ended) {
          cancel();
        }
      }
    }

    private ShardReply outcome(OperationContext operation) {
      try {
        RawDocument reply =
            sent == null ? waitFor(operation) : sent.receive(() -> operation.stopReason() != null);
        answer = reply;
        RoutedOperation routed = RoutedOperation.of(operation);
        if (routed != null) {
          routed.received(request.shard(), reply, request.purpose() == Purpose.WRITE);
        }
        if (CommandReplies.isOk(reply)) {
          if (RoutedOperation.isStatement(operation) && !request.purpose().isOfRouter()) {
            routed.transaction().answered(request.shard(), reply);
          }
          return new ShardReply(request, host, reply, null);
        }
        RemoteErrorException error = RemoteErrorException.of(reply);
        if (RoutedOperation.isStatement(operation) && RoutedOperation.isForRouter(error)) {
          routed.transaction().referredBack(request.shard());
        }
        return failed(error);
      } catch (CommandException e) {
        return ended(operation, e);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof CommandException failure) {
          return ended(operation, failure);
        }
        operation.checkNow();
        throw new IllegalStateException(e.getCause());
      }
    }

    private ShardReply ended(OperationContext operation, CommandException failure) {
      if (Thread.currentThread().isInterrupted()) {
        throw operation.threadInterrupted();
      }
      // At the end of the operation's time that is the error, and not what it was at.
      operation.checkNow();
      return failed(failure);
    }

    private RawDocument waitFor(OperationContext operation) throws ExecutionException {
      try {
        while (true) {
          try {
            return attempt.get(STEP_MILLIS, TimeUnit.MILLISECONDS);
          } catch (TimeoutException notYet) {
            operation.checkNow();
          }
        }
      } catch (InterruptedException e) {
        throw operation.threadInterrupted();
      }
    }

    private ShardReply failed(CommandException error) {
      if (host != null && RemoteErrorException.isAboutHost(error)) {
        set.failed(host, error.getMessage());
      }
      boolean unled =
          request.purpose() == Purpose.CHANGE
              && error.code() == ErrorCode.FAILED_TO_SATISFY_READ_PREFERENCE
              && !(error instanceof RemoteErrorException);
      return new ShardReply(
          request,
          host,
          null,
          unled
              ? error.during("The config servers have no primary, and metadata cannot be changed")
              : error);
    }
  }
}
