package dev.wisent.conformance.driver;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;

/** Passes connections on to a server and counts the bytes that come and go. */
final class CountingProxy implements AutoCloseable {

  private final InetSocketAddress target;
  private final ServerSocket listener;
  private final AtomicLong bytesToServer = new AtomicLong();
  private final AtomicLong bytesToClient = new AtomicLong();

  CountingProxy(InetSocketAddress target) {
    this.target = target;
    try {
      this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen", e);
    }
    Thread.ofVirtual().start(this::acceptAll);
  }

  String uri(String options) {
    return "mongodb://127.0.0.1:" + listener.getLocalPort() + "/?" + options;
  }

  long bytesToServer() {
    return bytesToServer.get();
  }

  long bytesToClient() {
    return bytesToClient.get();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close", e);
    }
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(target.getAddress(), target.getPort());
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        Thread.ofVirtual().start(() -> pump(client, server, bytesToServer));
        Thread.ofVirtual().start(() -> pump(server, client, bytesToClient));
      }
    } catch (IOException closed) {
      // The end of the test.
    }
  }

  private static void pump(Socket from, Socket to, AtomicLong counter) {
    byte[] buffer = new byte[16 * 1024];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        counter.addAndGet(length);
        out.write(buffer, 0, length);
      }
    } catch (IOException ended) {
      // One side went away; closing both tells the other.
    }
  }
}
