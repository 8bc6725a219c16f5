package dev.wisent.server.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Accepts the connections of one bound address. */
final class Listener {
  private static final long PAUSE_AFTER_FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final ServerSocketChannel server;
  private final String address;
  private final Connections connections;
  private final ConnectionHandlerFactory handlers;

  /** Of the thread that accepts. */
  private boolean failing;

  Listener(ServerSocketChannel server, Connections connections, ConnectionHandlerFactory handlers)
      throws IOException {
    this.server = server;
    this.address = SocketStream.describe((InetSocketAddress) server.getLocalAddress());
    this.connections = connections;
    this.handlers = handlers;
  }

  String address() {
    return address;
  }

  /** Accepts one connection. */
  void turn() {
    try {
      accept(server.accept());
      failing = false;
    } catch (IOException e) {
      if (server.isOpen()) {
        if (!failing) {
          connections.log().acceptFailed(address, e);
        }
        failing = true;
        // Typically out of descriptors: the client stays in the queue, so trying at once spins.
        LockSupport.parkNanos(PAUSE_AFTER_FAILURE_NANOS);
      }
    }
  }

  private void accept(SocketChannel channel) throws IOException {
    SocketStream stream;
    try {
      stream = new SocketStream(channel, connections.handshakes());
    } catch (IOException e) {
      channel.close(); // the client has gone already
      return;
    }
    connections.accept(stream, handlers);
  }

  void close() {
    try {
      server.close();
    } catch (IOException e) {
      // The descriptor is released all the same.
    }
  }
}
