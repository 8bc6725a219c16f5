package dev.wisent.server.transport;

import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Turns the configured addresses into bound sockets. */
final class ListenAddresses {
  private static final int BACKLOG = 1024;

  /** With port 0, how often another free port is tried when it is taken at a later address. */
  private static final int FREE_PORT_TRIES = 10;

  private ListenAddresses() {}

  /** Binds all of them, or none. */
  static List<ServerSocketChannel> bind(TransportOptions options) throws ListenException {
    Set<InetAddress> addresses = resolve(options);
    for (int attempt = 1; ; attempt++) {
      try {
        return bindAll(addresses, options.port());
      } catch (ListenException e) {
        boolean anotherPort = options.port() == 0 && e.addressInUse();
        if (!anotherPort || attempt == FREE_PORT_TRIES) {
          throw e;
        }
      }
    }
  }

  private static List<ServerSocketChannel> bindAll(Set<InetAddress> addresses, int configuredPort)
      throws ListenException {
    var bound = new ArrayList<ServerSocketChannel>();
    int port = configuredPort;
    for (InetAddress address : addresses) {
      ServerSocketChannel server = null;
      try {
        server = open(address);
        server.bind(new InetSocketAddress(address, port), BACKLOG);
        bound.add(server);
        port = ((InetSocketAddress) server.getLocalAddress()).getPort();
      } catch (IOException | UnsupportedOperationException e) {
        if (server != null) {
          bound.add(server);
        }
        closeAll(bound);
        throw failure(address, port, e);
      }
    }
    return bound;
  }

  private static ServerSocketChannel open(InetAddress address) throws IOException {
    var family =
        address instanceof Inet6Address
            ? StandardProtocolFamily.INET6
            : StandardProtocolFamily.INET;
    ServerSocketChannel server = ServerSocketChannel.open(family);
    // A restart must not wait for the connections of the last run to time out.
    server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
    return server;
  }

  private static ListenException failure(InetAddress address, int port, Exception cause) {
    String where = SocketStream.describe(address, port);
    if (cause instanceof IOException io) {
      // The JDK reports an address in use and one that this machine does not have alike, as a
      // BindException with the system's words.
      boolean inUse =
          io instanceof BindException && String.valueOf(io.getMessage()).contains("already in use");
      return new ListenException(where, inUse ? "address already in use" : reason(io), inUse, io);
    }
    return new ListenException(where, "IPv6 is not available here", false, new IOException(cause));
  }

  private static String reason(IOException cause) {
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }

  /** Addresses in their given order, each once. */
  static Set<InetAddress> resolve(TransportOptions options) throws ListenException {
    var addresses = new LinkedHashSet<InetAddress>();
    for (String host : options.bindAddresses()) {
      try {
        addresses.addAll(chosen(InetAddress.getAllByName(host), options.ipv6()));
      } catch (UnknownHostException e) {
        throw new ListenException(host, "unknown host", false, e);
      }
    }
    // The JDK's IPv6 wildcard takes IPv4 clients too and would collide with the IPv4 wildcard.
    boolean wildcard6 = addresses.stream().anyMatch(ListenAddresses::isWildcard6);
    if (wildcard6) {
      addresses.removeIf(address -> address instanceof Inet4Address && address.isAnyLocalAddress());
    }
    return addresses;
  }

  private static boolean isWildcard6(InetAddress address) {
    return address instanceof Inet6Address && address.isAnyLocalAddress();
  }

  /** A name's IPv4 addresses, and the IPv6 ones if they are wanted or are all there is. */
  private static List<InetAddress> chosen(InetAddress[] resolved, boolean ipv6) {
    var all = List.of(resolved);
    var v4 = all.stream().filter(Inet4Address.class::isInstance).toList();
    return ipv6 || v4.isEmpty() ? all : v4;
  }

  static void closeAll(List<ServerSocketChannel> servers) {
    for (ServerSocketChannel server : servers) {
      try {
        server.close();
      } catch (IOException e) {
        // The reason for giving up is reported, not this.
      }
    }
  }
}
