package dev.wisent.server.transport;

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
  private final TransportThreads threads = new TransportThreads();
  private final IdleConnections idle;
  private final Connections connections;
  private final DisconnectWatch watch;
  private final List<Listener> listeners = new ArrayList<>();
  private final List<Thread> acceptors = new ArrayList<>();
  private final List<Thread> services = new ArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final int port;

  static Transport open(
      TransportOptions options, ConnectionHandlerFactory handlers, TransportLog log)
      throws ListenException {
    List<ServerSocketChannel> servers = ListenAddresses.bind(options);
    try {
      return new BlockingTransport(options, handlers, log, servers);
    } catch (IOException e) {
      ListenAddresses.closeAll(servers);
      throw new ListenException("port " + options.port(), e.getMessage(), false, e);
    }
  }

  private BlockingTransport(
      TransportOptions options,
      ConnectionHandlerFactory handlers,
      TransportLog log,
      List<ServerSocketChannel> servers)
      throws IOException {
    this.options = options;
    this.log = log;
    idle = new IdleConnections(log);
    connections = new Connections(options, log, threads, idle);
    watch = new DisconnectWatch(connections);
    port = ((InetSocketAddress) servers.getFirst().getLocalAddress()).getPort();
    for (ServerSocketChannel server : servers) {
      listeners.add(new Listener(server, connections, handlers));
    }
    services.add(threads.startService("conn-idle-selector", idle));
    services.add(threads.startService("conn-disconnect-watch", watch));
    for (Listener listener : listeners) {
      acceptors.add(threads.startService("listener " + listener.address(), listener));
    }
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
    try {
      stopListeners();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A socket that a thread is accepting on goes on listening until that thread has left it. */
  private void stopListeners() throws InterruptedException {
    listeners.forEach(Listener::close);
    for (Thread acceptor : acceptors) {
      acceptor.join();
    }
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
      idle.close();
      watch.close();
      Thread.currentThread().interrupt();
    }
  }

  private void stopServices(long timeoutNanos) throws InterruptedException {
    idle.close();
    watch.close();
    for (Thread service : services) {
      service.join();
    }
    threads.close(timeoutNanos);
  }
}
