package dev.wisent.server.transport;

import dev.wisent.security.tls.TlsContexts;
import dev.wisent.security.tls.TlsOptions;
import dev.wisent.server.transport.TlsLayer.HandshakeException;
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
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import javax.net.ssl.SSLEngine;

/**
 * The bytes of one accepted socket, decrypted if it speaks TLS. Blocking while a thread owns the
 * connection; non-blocking while it is parked in a selector.
 */
final class SocketStream {
  static final int END = -1;
  static final int TIMED_OUT = 0;

  /** The JDK copies through a direct buffer as long as the request, and keeps it per thread. */
  static final int TRANSFER_BYTES_MAX = 64 * 1024;

  /** Where bytes come from; returns as {@link #read} does. */
  interface Source {
    int read(byte[] target, int offset, int length) throws IOException;
  }

  private final SocketChannel channel;
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final String localAddress;
  private final String remoteAddress;
  private final Handshakes handshakes;

  /** The first bytes, until they tell whether the client speaks TLS; null from then on. */
  private byte[] first;

  /** Null for a client that does not speak TLS. */
  private TlsLayer tls;

  /** What the handshake was made with; null without one. */
  private TlsContexts contexts;

  /** Set before the first read. */
  private Runnable overdue;

  private volatile String protocol;
  private volatile X509Certificate certificate;

  SocketStream(SocketChannel channel, Handshakes handshakes) throws IOException {
    this.channel = channel;
    this.handshakes = handshakes;
    this.first = handshakes.tls().mode() == TlsOptions.Mode.DISABLED ? null : new byte[0];
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

  /** Of any thread. Empty before the handshake, and without one. */
  Optional<String> tlsProtocol() {
    return Optional.ofNullable(protocol);
  }

  /** Of any thread. */
  Optional<X509Certificate> peerCertificate() {
    return Optional.ofNullable(certificate);
  }

  /** What happens if the handshake takes too long. Before the first read. */
  void whenOverdue(Runnable action) {
    overdue = action;
  }

  /** How long {@link #read} waits; 0 is for ever, and saves three system calls a read. */
  void readTimeout(int millis) throws IOException {
    socket.setSoTimeout(millis);
  }

  /** Waits for bytes; {@link #END} when the client has ended its side. */
  int read(byte[] target, int offset) throws IOException {
    int length = Math.min(target.length - offset, TRANSFER_BYTES_MAX);
    if (first == null && tls == null) {
      return receive(target, offset, length);
    }
    return first == null
        ? tls.read(ByteBuffer.wrap(target, offset, length), this::receive, true)
        : readFirst(target, offset, length);
  }

  private int receive(byte[] target, int offset, int length) throws IOException {
    try {
      return in.read(target, offset, length);
    } catch (SocketTimeoutException silence) {
      return TIMED_OUT;
    }
  }

  /** Both a message and a handshake begin with more bytes than are needed to tell them apart. */
  private int readFirst(byte[] target, int offset, int length) throws IOException {
    byte[] start = Arrays.copyOf(first, ForeignProtocol.TLS_BYTES);
    int count = first.length;
    while (count < start.length && (count == 0 || ForeignProtocol.mayBeTls(start[0]))) {
      int more = receive(start, count, start.length - count);
      if (more <= 0) {
        first = Arrays.copyOf(start, count);
        return more;
      }
      count += more;
    }
    first = null;
    if (count == start.length && ForeignProtocol.isTls(start)) {
      beginTls(start);
      return tls.read(ByteBuffer.wrap(target, offset, length), this::receive, true);
    }
    if (handshakes.tls().mode() == TlsOptions.Mode.REQUIRE) {
      throw new HandshakeException("the server is configured to only allow TLS connections");
    }
    System.arraycopy(start, 0, target, offset, count);
    return count;
  }

  private void beginTls(byte[] start) throws IOException {
    handshakes.begin(this);
    contexts = handshakes.tls().contexts().orElseThrow();
    tls =
        new TlsLayer(
            contexts.serverEngine(),
            new TlsLayer.Handshake() {
              @Override
              public void done(SSLEngine engine) {
                handshakeDone(engine);
              }

              @Override
              public void send(byte[] bytes, int offset, int length) throws IOException {
                out.write(bytes, offset, length);
              }
            },
            start);
  }

  private void handshakeDone(SSLEngine engine) {
    handshakes.end(this);
    protocol = engine.getSession().getProtocol();
    certificate = contexts.clientCertificate(engine.getSession()).orElse(null);
    handshakes.tls().connected(engine.getSession());
    contexts = null;
  }

  /** From any thread: the handshake is given up. */
  void handshakeOverdue() {
    overdue.run();
  }

  /** Writes at most {@link #TRANSFER_BYTES_MAX}. */
  void write(byte[] source, int offset, int length) throws IOException {
    if (tls == null) {
      out.write(source, offset, length);
    } else if (tls.isDone()) {
      tls.write(source, offset, length);
    }
  }

  /** Reads what is there without waiting: 0 for nothing, {@link #END} for the client's end. */
  int readAvailable(ByteBuffer target) throws IOException {
    channel.configureBlocking(false);
    try {
      return tls == null ? channel.read(target) : tls.read(target, this::receiveNow, false);
    } finally {
      channel.configureBlocking(true);
    }
  }

  private int receiveNow(byte[] target, int offset, int length) throws IOException {
    return channel.read(ByteBuffer.wrap(target, offset, length));
  }

  /** What has arrived and was not read yet, and so does not wake a parked connection. */
  int keptBytes() {
    return tls == null ? 0 : tls.keptBytes();
  }

  /** The thread goes; what has arrived is kept. */
  void pause() {
    if (tls != null) {
      tls.pause();
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
    handshakes.end(this);
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
