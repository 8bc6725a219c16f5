package dev.wisent.wire.client;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.wire.HostAndPort;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connections to one host and the calls that wait for one. A call takes an idle connection, or
 * waits in the queue while another one is made. Connecting belongs to the pool, not to a call: a
 * call with a short deadline leaves a connection behind for the next.
 */
final class HostPool {
  /** A host that was not called for this long is not probed. */
  private static final long PROBED_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);

  /**
   * A connection that was used this short a time ago is not asked whether it has ended. No node
   * restarts so fast that its former connections are younger.
   */
  private static final long FRESH_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(20);

  final HostAndPort host;
  private final NodeClientOptions options;
  private final Clock clock;
  private final Executor threads;
  private final CallTimer timer;
  private final CallWatch watch;
  private final ReentrantLock lock = new ReentrantLock();

  // All guarded by the lock.
  private final Deque<NodeConnection> idle = new ArrayDeque<>();
  private final Set<NodeConnection> inUse = new HashSet<>();
  private final Set<NodeConnection> connecting = new HashSet<>();
  private final Deque<PendingCall> queue = new ArrayDeque<>();
  private final CircuitBreaker breaker = new CircuitBreaker();
  private long generation;
  private long created;
  private long refused;
  private long lastCallNanos;
  private String lastFailure = "";
  private boolean closed;

  HostPool(
      HostAndPort host,
      NodeClientOptions options,
      Clock clock,
      Executor threads,
      CallTimer timer,
      CallWatch watch) {
    this.host = host;
    this.options = options;
    this.clock = clock;
    this.threads = threads;
    this.timer = timer;
    this.watch = watch;
  }

  void submit(PendingCall call) {
    CommandException refusal;
    lock.lock();
    try {
      lastCallNanos = clock.monotonicNanos();
      refusal = take(call);
      if (refusal != null) {
        refused++;
      }
    } finally {
      lock.unlock();
    }
    if (refusal != null) {
      call.fail(refusal);
    }
  }

  /** Sends a request on the calling thread; null where it has to wait for a connection. */
  SentCall send(NodeRequest request) {
    NodeConnection connection = takeUsable();
    if (connection == null) {
      return null;
    }
    var call = new PendingCall(request);
    call.begin(connection);
    try {
      connection.send(request);
    } catch (IOException | RuntimeException e) {
      discard(connection);
      throw failure(HostFailures.ofSending(host, e));
    }
    return new SentCall(this, call, connection, watch);
  }

  private NodeConnection takeUsable() {
    while (true) {
      NodeConnection connection;
      boolean fresh;
      lock.lock();
      try {
        lastCallNanos = clock.monotonicNanos();
        connection = closed ? null : takeIdle();
        if (connection == null) {
          return null;
        }
        fresh = lastCallNanos - connection.idleSinceNanos < FRESH_NANOS_MAX;
        inUse.add(connection);
      } finally {
        lock.unlock();
      }
      if (fresh || !connection.isStale()) {
        return connection;
      }
      discard(connection);
    }
  }

  /** Returns why the call fails at once; null if it does not. */
  private CommandException take(PendingCall call) {
    if (closed) {
      return HostFailures.shutdown();
    }
    NodeConnection connection = takeIdle();
    if (connection != null) {
      inUse.add(connection);
      threads.execute(() -> serve(connection, call, true));
      return null;
    }
    if (breaker.isOpen()) {
      return HostFailures.unsent(host, lastFailure);
    }
    if (queue.size() >= options.queuedPerHostMax()) {
      return HostFailures.tooMany(host);
    }
    queue.add(call);
    connectIfNeeded();
    return null;
  }

  /** The one that was used last, so that those too many become old. */
  private NodeConnection takeIdle() {
    closeOld();
    return idle.pollLast();
  }

  private void closeOld() {
    if (idle.isEmpty()) {
      return;
    }
    long oldest = clock.monotonicNanos() - options.idleTimeout().toNanos();
    while (!idle.isEmpty() && idle.peekFirst().idleSinceNanos - oldest < 0) {
      idle.pollFirst().close();
    }
  }

  private void connectIfNeeded() {
    int all = idle.size() + inUse.size() + connecting.size();
    if (connecting.size() < queue.size() && all < options.connectionsPerHostMax()) {
      connect();
    }
  }

  private void connect() {
    NodeConnection connection;
    try {
      connection = NodeConnection.open(options, generation);
    } catch (IOException e) {
      threads.execute(() -> connectFailed(null, e));
      return;
    }
    connecting.add(connection);
    threads.execute(() -> connect(connection));
  }

  private void connect(NodeConnection connection) {
    CallTimer.Scheduled timeout =
        timer.after(options.connectTimeout().toNanos(), connection::close);
    try {
      connection.connect(host);
    } catch (IOException | RuntimeException e) {
      connection.close();
      connectFailed(connection, e);
      return;
    } finally {
      timeout.cancel();
    }
    lock.lock();
    try {
      // It counts all the time: else another connection would be made in its place.
      connecting.remove(connection);
      inUse.add(connection);
      created++;
      breaker.succeeded();
    } finally {
      lock.unlock();
    }
    release(connection);
  }

  /** Without a connection no call can be served: all that wait fail. */
  private void connectFailed(NodeConnection connection, Exception why) {
    List<PendingCall> failed = List.of();
    CommandException failure;
    lock.lock();
    try {
      connecting.remove(connection);
      lastFailure = String.valueOf(why);
      failure = closed ? HostFailures.shutdown() : HostFailures.unsent(host, lastFailure);
      breaker.failed();
      if (inUse.isEmpty() && connecting.isEmpty()) {
        failed = new ArrayList<>(queue);
        queue.clear();
      }
      if (breaker.isOpen() && connecting.isEmpty() && !closed) {
        timer.after(breaker.pauseNanos(), this::probe);
      }
    } finally {
      lock.unlock();
    }
    failed.forEach(call -> call.fail(failure));
  }

  private void probe() {
    lock.lock();
    try {
      if (closed || !breaker.isOpen() || !connecting.isEmpty()) {
        return;
      }
      if (clock.monotonicNanos() - lastCallNanos > PROBED_NANOS_MAX) {
        breaker.halfOpen();
      } else {
        connect();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Makes a call on a connection, on a thread of its own. */
  private void serve(NodeConnection connection, PendingCall call, boolean wasIdle) {
    if (!call.begin(connection)) {
      release(connection);
      return;
    }
    if (wasIdle && connection.isStale()) {
      boolean wanted = call.retry();
      discard(connection);
      if (wanted) {
        submit(call);
      }
      return;
    }
    RawDocument reply;
    boolean sent = false;
    try {
      connection.send(call.request);
      sent = true;
      reply = connection.receive();
    } catch (IOException | RuntimeException e) {
      call.finish();
      discard(connection);
      call.fail(failure(sent ? HostFailures.of(host, e) : HostFailures.ofSending(host, e)));
      return;
    }
    if (call.finish()) {
      release(connection);
    } else {
      discard(connection);
    }
    call.future.complete(reply);
  }

  /** Why a call to the host has failed, as its caller is told. */
  CommandException failure(CommandException why) {
    lock.lock();
    try {
      return closed ? HostFailures.shutdown() : why;
    } finally {
      lock.unlock();
    }
  }

  /** Gives a connection to the next call, or keeps it. */
  void release(NodeConnection connection) {
    lock.lock();
    try {
      inUse.remove(connection);
      if (closed || connection.generation != generation) {
        connection.close();
        connectIfNeeded();
        return;
      }
      PendingCall next = nextQueued();
      if (next == null) {
        connection.idleSinceNanos = clock.monotonicNanos();
        idle.addLast(connection);
      } else {
        inUse.add(connection);
        threads.execute(() -> serve(connection, next, false));
      }
    } finally {
      lock.unlock();
    }
  }

  private PendingCall nextQueued() {
    PendingCall next = queue.poll();
    while (next != null && next.isDone()) {
      next = queue.poll();
    }
    return next;
  }

  void discard(NodeConnection connection) {
    connection.close();
    lock.lock();
    try {
      inUse.remove(connection);
      connectIfNeeded();
    } finally {
      lock.unlock();
    }
  }

  /** Makes room in the queue. */
  void forget(PendingCall call) {
    lock.lock();
    try {
      queue.remove(call);
    } finally {
      lock.unlock();
    }
  }

  void drop() {
    lock.lock();
    try {
      generation++;
      idle.forEach(NodeConnection::close);
      idle.clear();
    } finally {
      lock.unlock();
    }
  }

  /** Closes all connections, so that the calls on them fail. */
  void failCalls() {
    drop();
    lock.lock();
    try {
      inUse.forEach(NodeConnection::close);
    } finally {
      lock.unlock();
    }
  }

  HostPoolStats stats() {
    lock.lock();
    try {
      closeOld();
      return new HostPoolStats(
          options.name(),
          host,
          inUse.size(),
          idle.size(),
          connecting.size(),
          queue.size(),
          created,
          refused,
          breaker.isOpen());
    } finally {
      lock.unlock();
    }
  }

  void close() {
    List<PendingCall> ended;
    lock.lock();
    try {
      closed = true;
      ended = new ArrayList<>(queue);
      queue.clear();
      idle.forEach(NodeConnection::close);
      idle.clear();
      inUse.forEach(NodeConnection::close);
      connecting.forEach(NodeConnection::close);
    } finally {
      lock.unlock();
    }
    ended.forEach(call -> call.fail(HostFailures.shutdown()));
  }
}
