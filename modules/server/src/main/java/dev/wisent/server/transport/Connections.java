package dev.wisent.server.transport;

import dev.wisent.server.memory.MessageMemory;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The open connections of a transport, and what they need from it. Safe for any thread. */
final class Connections {
  private static final int WAITING_TO_HALVE_PATIENCE = 4;
  private static final int SLOW_LOOKS_MIN = 2;

  private final TransportOptions options;
  private final MessageMemory memory;
  private final TransportLog log;
  private final TransportThreads threads;
  private final IdleConnections idle;
  private final Handshakes handshakes;
  private final Semaphore dedicatedThreads;

  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong created = new AtomicLong();
  private final AtomicLong rejected = new AtomicLong();
  private final ReservedConnections reserved;
  private final ReentrantLock emptyLock = new ReentrantLock();
  private final Condition empty = emptyLock.newCondition();

  Connections(
      TransportOptions options,
      MessageMemory memory,
      TransportLog log,
      TransportThreads threads,
      IdleConnections idle,
      Handshakes handshakes) {
    this.options = options;
    this.memory = memory;
    this.log = log;
    this.threads = threads;
    this.idle = idle;
    this.handshakes = handshakes;
    this.reserved = new ReservedConnections(options.reservedConnections());
    this.dedicatedThreads = new Semaphore(options.dedicatedThreadsMax());
  }

  TransportLog log() {
    return log;
  }

  MessageMemory memory() {
    return memory;
  }

  Handshakes handshakes() {
    return handshakes;
  }

  IdleConnections idle() {
    return idle;
  }

  int idleParkMillis() {
    return options.idleParkMillis();
  }

  void administered(Connection connection) {
    reserved.administered(connection);
  }

  /**
   * Takes a new socket in, if there is room. Only the listeners' threads come here, so the limit
   * can be passed by no more than their number.
   */
  void accept(SocketStream stream, ConnectionHandlerFactory handlers) {
    boolean beyondLimit = open.size() - reserved.size() >= options.connectionsMax();
    if (beyondLimit && options.reservedConnections() == 0) {
      stream.close();
      refused(stream.remoteAddress());
      return;
    }
    var connection = new Connection(created.incrementAndGet(), stream, this, beyondLimit);
    open.add(connection);
    if (beyondLimit) {
      Connection replaced = reserved.add(connection);
      if (replaced != null) {
        replaced.close();
        refused(replaced.remoteAddress());
      }
    }
    log.connectionOpened(connection, open.size());
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

  private void refused(String remoteAddress) {
    rejected.incrementAndGet();
    log.connectionRefused(remoteAddress, options.connectionsMax());
  }

  /** Answers a client that sends something else than messages, as far as that is possible. */
  void refuse(Connection connection, MalformedFrameException e) {
    ForeignProtocol protocol = e.protocol();
    if (protocol == null) {
      log.malformedMessage(connection, e.getMessage());
    } else {
      log.foreignProtocol(connection, protocol);
      byte[] answer = protocol.answer();
      connection.write(answer, 0, answer.length);
    }
  }

  /** A connection is closed because it holds memory for long that others wait for. */
  void slow(Connection connection, long bytesMoved) {
    memory.slowClientClosed();
    log.slowClient(connection, bytesMoved);
  }

  /** From any thread. */
  void overdue(Connection connection) {
    if (connection.isOpen()) {
      log.handshakeFailed(connection, "it takes too long, or too many clients began one");
      connection.close();
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
    if (!open.remove(connection)) {
      return;
    }
    reserved.remove(connection);
    log.connectionEnded(connection, open.size());
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
    handshakes.endOverdue();
    int waiting = memory.waiting();
    int slowLooksMax = slowLooksMax(waiting);
    for (Connection connection : open) {
      try {
        connection.watch(waiting > 0, slowLooksMax);
      } catch (RuntimeException e) {
        log.connectionFailed(connection, e);
        connection.close();
      }
    }
  }

  /** For how many looks a client may be too slow: the more others wait, the fewer. */
  private int slowLooksMax(int waiting) {
    int millis = memory.slowClientMillis() / (1 + waiting / WAITING_TO_HALVE_PATIENCE);
    return (int) Math.max(SLOW_LOOKS_MIN, millis / DisconnectWatch.PERIOD.toMillis());
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
