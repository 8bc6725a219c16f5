package dev.wisent.server.transport;

import dev.wisent.wire.HostAndPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * The bytes of one accepted socket. Blocking while a thread owns the connection; non-blocking while
 * it is parked in a selector.
 */
final class SocketStream {
  static final int END = -1;
  static final int TIMED_OUT = 0;

  /** The JDK copies through a direct buffer as long as the request, and keeps it per thread. */
  static final int TRANSFER_BYTES_MAX = 64 * 1024;

  private final SocketChannel channel;
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final String localAddress;
  private final String remoteAddress;

  SocketStream(SocketChannel channel) throws IOException {
    this.channel = channel;
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    socket = channel.socket();
    in = socket.getInputStream();
    out = socket.getOutputStream();
    localAddress = describe((InetSocketAddress) channel.getLocalAddress());
    remoteAddress = describe((InetSocketAddress) channel.getRemoteAddress());
  }

  String localAddress() {
    return localAddress;
  }

  String remoteAddress() {
    return remoteAddress;
  }

  /** How long {@link #read} waits; 0 is for ever, and saves three system calls a read. */
  void readTimeout(int millis) throws IOException {
    socket.setSoTimeout(millis);
  }

  /** Waits for bytes; {@link #END} when the client has ended its side. */
  int read(byte[] target, int offset) throws IOException {
    try {
      return in.read(target, offset, Math.min(target.length - offset, TRANSFER_BYTES_MAX));
    } catch (SocketTimeoutException silence) {
      return TIMED_OUT;
    }
  }

  /** Writes at most {@link #TRANSFER_BYTES_MAX}. */
  void write(byte[] source, int offset, int length) throws IOException {
    out.write(source, offset, length);
  }

  /** Reads what is there without waiting: 0 for nothing, {@link #END} for the client's end. */
  int readAvailable(ByteBuffer target) throws IOException {
    channel.configureBlocking(false);
    try {
      return channel.read(target);
    } finally {
      channel.configureBlocking(true);
    }
  }

  void beforeParking() throws IOException {
    channel.configureBlocking(false);
  }

  void park(Selector selector, Connection owner) throws IOException {
    channel.register(selector, SelectionKey.OP_READ, owner);
  }

  /** Allowed once the key of {@link #park} is cancelled. */
  void afterParking() throws IOException {
    channel.configureBlocking(true);
  }

  /** From any thread; a thread that is reading or writing gets an exception. */
  void close() {
    try {
      channel.close();
    } catch (IOException alreadyBroken) {
      // The descriptor is released all the same, and there is no one left to tell.
    }
  }

  /** {@code host:port}, an IPv6 host in brackets. */
  static String describe(InetSocketAddress address) {
    return describe(address.getAddress(), address.getPort());
  }

  static String describe(InetAddress address, int port) {
    return HostAndPort.bracketed(address.getHostAddress()) + ":" + port;
  }
}
