package dev.wisent.server.transport;

import dev.wisent.base.Limits;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.server.memory.MessageMemory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The transport on blocking sockets, as the package describes it. */
final class BlockingTransport implements Transport {
  private final TransportOptions options;
  private final TransportLog log;
  private final TransportThreads threads;
  private final IdleConnections idle;
  private final Connections connections;
  private final List<Listener> listeners = new ArrayList<>();
  private final List<BackgroundLoop> acceptors = new ArrayList<>();
  private final List<BackgroundLoop> services = new ArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final int port;

  static Transport open(
      TransportOptions options,
      ConnectionHandlerFactory handlers,
      MessageMemory memory,
      TransportLog log,
      BackgroundLoops loops)
      throws ListenException {
    List<ServerSocketChannel> servers = ListenAddresses.bind(options);
    try {
      return new BlockingTransport(options, handlers, memory, log, loops, servers);
    } catch (IOException e) {
      ListenAddresses.closeAll(servers);
      throw new ListenException("port " + options.port(), e.getMessage(), false, e);
    }
  }

  private BlockingTransport(
      TransportOptions options,
      ConnectionHandlerFactory handlers,
      MessageMemory memory,
      TransportLog log,
      BackgroundLoops loops,
      List<ServerSocketChannel> servers)
      throws IOException {
    this.options = options;
    this.log = log;
    threads = new TransportThreads(options.workersMax());
    idle = new IdleConnections(log);
    var handshakes =
        new Handshakes(
            options.tls(), loops.clock(), Limits.TLS_HANDSHAKES_MAX, options.handshakeMillisMax());
    connections = new Connections(options, memory, log, threads, idle, handshakes);
    port = ((InetSocketAddress) servers.getFirst().getLocalAddress()).getPort();
    for (ServerSocketChannel server : servers) {
      listeners.add(new Listener(server, connections, handlers));
    }
    services.add(loops.loop("conn-idle-selector", idle::turn));
    services.add(DisconnectWatch.loop(connections, loops));
    for (int i = 0; i < listeners.size(); i++) {
      String name = i == 0 ? "listener" : "listener-" + (i + 1);
      acceptors.add(loops.loop(name, listeners.get(i)::turn));
    }
    services.forEach(BackgroundLoop::start);
    acceptors.forEach(BackgroundLoop::start);
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public List<String> addresses() {
    return listeners.stream().map(Listener::address).toList();
  }

  @Override
  public ConnectionCounts counts() {
    return connections.counts();
  }

  @Override
  public void stopAccepting() {
    stopListeners();
  }

  /** A socket that a thread is accepting on goes on listening until that thread has left it. */
  private void stopListeners() {
    acceptors.forEach(BackgroundLoop::stop);
    listeners.forEach(Listener::close);
    acceptors.forEach(BackgroundLoop::join);
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(options.closeTimeoutMillis());
    try {
      stopListeners();
      int left = connections.closeAll(timeoutNanos);
      if (left > 0) {
        log.closeTimedOut(left);
      }
      stopServices(left == 0 ? timeoutNanos : 0);
    } catch (InterruptedException e) {
      closeServices();
      Thread.currentThread().interrupt();
    }
  }

  private void stopServices(long timeoutNanos) throws InterruptedException {
    closeServices();
    services.forEach(BackgroundLoop::join);
    threads.close(timeoutNanos);
  }

  private void closeServices() {
    services.forEach(BackgroundLoop::stop);
    idle.close();
  }
}
