package dev.wisent.wire.client;

import dev.wisent.base.Clock;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.wire.HostAndPort;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** Calls nodes over pooled connections: one pool per host, one thread per call under way. */
public final class PooledNodeClient implements NodeClient {
  private final NodeClientOptions options;
  private final Clock clock;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("node-client-", 0).factory());
  private final CallTimer timer;
  private final CallWatch watch;
  private final Map<HostAndPort, HostPool> pools = new ConcurrentHashMap<>();
  private final Set<NodeConnection> streams = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  public PooledNodeClient(NodeClientOptions options, Clock clock, BackgroundLoops loops) {
    this.options = options;
    this.clock = clock;
    this.timer = new CallTimer("node-client-timer-" + options.name(), clock, this::execute, loops);
    this.watch = new CallWatch(timer);
  }

  private void execute(Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException e) {
      // Closed: the pools have failed their calls.
    }
  }

  @Override
  public CompletableFuture<RawDocument> call(HostAndPort host, NodeRequest request) {
    var call = new PendingCall(request);
    HostPool pool =
        pools.computeIfAbsent(
            host, key -> new HostPool(key, options, clock, this::execute, timer, watch));
    CallTimer.Scheduled deadline =
        timer.after(
            request.timeout().toNanos(), () -> call.fail(HostFailures.timeout(host, request)));
    var unused =
        call.future.whenComplete(
            (reply, failure) -> {
              deadline.cancel();
              if (failure != null) {
                call.abandon();
                pool.forget(call);
              }
            });
    pool.submit(call);
    if (closed) {
      // The pool may have been made after the others were closed.
      pool.close();
    }
    return call.future;
  }

  @Override
  public SentCall send(HostAndPort host, NodeRequest request) {
    HostPool pool = pools.get(host);
    SentCall sent = pool == null ? null : pool.send(request);
    if (sent != null && request.isLimited()) {
      sent.deadline(timer.after(request.timeout().toNanos(), sent::expire));
    }
    return sent;
  }

  @Override
  public CompletableFuture<Void> stream(
      HostAndPort host, NodeRequest request, Consumer<RawDocument> replies) {
    var future = new CompletableFuture<Void>();
    NodeConnection connection;
    try {
      connection = NodeConnection.open(options, 0);
    } catch (IOException e) {
      future.completeExceptionally(HostFailures.unreachable(host, e.toString()));
      return future;
    }
    streams.add(connection);
    var unused =
        future.whenComplete(
            (done, failure) -> {
              streams.remove(connection);
              connection.close();
            });
    execute(() -> stream(connection, host, request, replies, future));
    if (closed) {
      future.completeExceptionally(HostFailures.shutdown());
    }
    return future;
  }

  private void stream(
      NodeConnection connection,
      HostAndPort host,
      NodeRequest request,
      Consumer<RawDocument> replies,
      CompletableFuture<Void> future) {
    var deadline = new ReplyDeadline(host, request, future);
    try {
      deadline.extend();
      connection.connect(host);
      deadline.extend();
      connection.stream(
          request,
          reply -> {
            if (!future.isDone()) {
              replies.accept(reply);
              deadline.extend();
            }
          });
      future.complete(null);
    } catch (IOException | RuntimeException e) {
      future.completeExceptionally(
          closed ? HostFailures.shutdown() : HostFailures.unreachable(host, e.toString()));
    } finally {
      deadline.end();
    }
  }

  /** Ends a stream whose next reply does not come in time. */
  private final class ReplyDeadline {
    private final HostAndPort host;
    private final NodeRequest request;
    private final CompletableFuture<Void> future;
    private CallTimer.Scheduled scheduled = () -> {};

    ReplyDeadline(HostAndPort host, NodeRequest request, CompletableFuture<Void> future) {
      this.host = host;
      this.request = request;
      this.future = future;
    }

    void extend() {
      scheduled.cancel();
      scheduled =
          timer.after(
              request.timeout().toNanos(),
              () -> future.completeExceptionally(HostFailures.timeout(host, request)));
    }

    void end() {
      scheduled.cancel();
    }
  }

  @Override
  public List<HostPoolStats> stats() {
    return pools.values().stream().map(HostPool::stats).toList();
  }

  @Override
  public void dropConnections(Set<HostAndPort> hosts) {
    pools.forEach(
        (host, pool) -> {
          if (hosts.contains(host)) {
            pool.drop();
          }
        });
  }

  @Override
  public void failCalls(HostAndPort host) {
    HostPool pool = pools.get(host);
    if (pool != null) {
      pool.failCalls();
    }
  }

  @Override
  public void close() {
    closed = true;
    pools.values().forEach(HostPool::close);
    streams.forEach(NodeConnection::close);
    timer.close();
    threads.shutdown();
  }
}
