package dev.wisent.server.transport;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The open connections of a transport, and what they need from it. Safe for any thread. */
final class Connections {
  private final TransportOptions options;
  private final TransportLog log;
  private final TransportThreads threads;
  private final IdleConnections idle;
  private final Semaphore dedicatedThreads;

  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong created = new AtomicLong();
  private final AtomicLong rejected = new AtomicLong();
  private final ReentrantLock emptyLock = new ReentrantLock();
  private final Condition empty = emptyLock.newCondition();

  Connections(
      TransportOptions options, TransportLog log, TransportThreads threads, IdleConnections idle) {
    this.options = options;
    this.log = log;
    this.threads = threads;
    this.idle = idle;
    this.dedicatedThreads = new Semaphore(options.dedicatedThreadsMax());
  }

  TransportLog log() {
    return log;
  }

  IdleConnections idle() {
    return idle;
  }

  int idleParkMillis() {
    return options.idleParkMillis();
  }

  /**
   * Takes a new socket in, if there is room. Only the listeners' threads come here, so the limit
   * can be passed by no more than their number.
   */
  void accept(SocketStream stream, ConnectionHandlerFactory handlers) {
    if (open.size() >= options.connectionsMax()) {
      rejected.incrementAndGet();
      stream.close();
      log.connectionRefused(stream.remoteAddress(), options.connectionsMax());
      return;
    }
    var connection = new Connection(created.incrementAndGet(), stream, this);
    open.add(connection);
    try {
      connection.handler(handlers.opened(connection));
      threads.startWorker(connection);
    } catch (IOException e) {
      connection.end();
    } catch (Throwable e) {
      log.connectionFailed(connection, e);
      connection.end();
    }
  }

  void startWorker(Connection connection) throws IOException {
    threads.startWorker(connection);
  }

  void startWaiter(Runnable task) {
    threads.startWaiter(task);
  }

  boolean tryDedicateThread() {
    return dedicatedThreads.tryAcquire();
  }

  void releaseDedicatedThread() {
    dedicatedThreads.release();
  }

  void remove(Connection connection) {
    open.remove(connection);
    if (open.isEmpty()) {
      emptyLock.lock();
      try {
        empty.signalAll();
      } finally {
        emptyLock.unlock();
      }
    }
  }

  void watch() {
    for (Connection connection : open) {
      try {
        connection.watch();
      } catch (RuntimeException e) {
        log.connectionFailed(connection, e);
        connection.close();
      }
    }
  }

  ConnectionCounts counts() {
    int current = 0;
    int active = 0;
    int threaded = 0;
    for (Connection connection : open) {
      current++;
      active += connection.isHandling() ? 1 : 0;
      threaded += connection.isParked() ? 0 : 1;
    }
    int available = Math.max(0, options.connectionsMax() - current);
    return new ConnectionCounts(
        current, available, created.get(), rejected.get(), active, threaded);
  }

  /** Closes all, waits until their owners have let go of them, and returns how many have not. */
  int closeAll(long timeoutNanos) throws InterruptedException {
    open.forEach(Connection::close);
    long remaining = timeoutNanos;
    emptyLock.lock();
    try {
      while (!open.isEmpty() && remaining > 0) {
        remaining = empty.awaitNanos(remaining);
      }
    } finally {
      emptyLock.unlock();
    }
    return open.size();
  }
}
