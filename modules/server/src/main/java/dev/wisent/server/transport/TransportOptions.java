package dev.wisent.server.transport;

import dev.wisent.base.Limits;
import dev.wisent.security.tls.TlsState;
import java.util.List;
import java.util.function.Consumer;

/**
 * Settings of a transport.
 *
 * @param bindAddresses host names or IP addresses; {@code 0.0.0.0} and {@code ::} are the wildcards
 * @param port 0 takes a free one, the same for all addresses
 * @param ipv6 whether host names are bound at their IPv6 addresses too
 * @param connectionsMax further connections are accepted and closed at once, as MongoDB does
 * @param dedicatedThreadsMax busy connections that keep a thread of their own while they are quiet
 * @param idleParkMillis silence after which any other connection gives up its thread
 * @param reservedConnections how many more are accepted for those who look after the node
 * @param workersMax threads that serve connections
 * @param closeTimeoutMillis how long {@link Transport#close} waits for handlers
 * @param handshakeMillisMax how long a client may take to shake hands
 * @param tls which connections are encrypted
 */
public record TransportOptions(
    List<String> bindAddresses,
    int port,
    boolean ipv6,
    int connectionsMax,
    int dedicatedThreadsMax,
    int idleParkMillis,
    int reservedConnections,
    int workersMax,
    int closeTimeoutMillis,
    int handshakeMillisMax,
    TlsState tls) {

  /** MongoDB's default for {@code --maxConns}, where the system allows as many. */
  public static final int CONNECTIONS_MAX_DEFAULT = 65_536;

  public TransportOptions {
    bindAddresses = List.copyOf(bindAddresses);
    if (bindAddresses.isEmpty()) {
      throw new IllegalArgumentException("no address to listen on");
    }
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port out of range: " + port);
    }
    if (connectionsMax < 1
        || dedicatedThreadsMax < 0
        || reservedConnections < 0
        || workersMax < 1) {
      throw new IllegalArgumentException("connection limits out of range");
    }
    if (idleParkMillis < 1 || closeTimeoutMillis < 0 || handshakeMillisMax < 1) {
      throw new IllegalArgumentException("times out of range");
    }
  }

  /** The defaults, on the given addresses. */
  public static TransportOptions listeningOn(List<String> bindAddresses, int port) {
    return new TransportOptions(
        bindAddresses,
        port,
        false,
        CONNECTIONS_MAX_DEFAULT,
        512,
        100,
        Limits.RESERVED_CONNECTIONS,
        Limits.WORKERS_MAX,
        10_000,
        Limits.TLS_HANDSHAKE_MILLIS_MAX,
        TlsState.off());
  }

  public TransportOptions withIpv6(boolean enabled) {
    return with(to -> to.ipv6 = enabled);
  }

  public TransportOptions withConnectionsMax(int max) {
    return with(to -> to.connectionsMax = max);
  }

  public TransportOptions withDedicatedThreadsMax(int max) {
    return with(to -> to.dedicatedThreadsMax = max);
  }

  public TransportOptions withIdleParkMillis(int millis) {
    return with(to -> to.idleParkMillis = millis);
  }

  public TransportOptions withReservedConnections(int count) {
    return with(to -> to.reservedConnections = count);
  }

  public TransportOptions withWorkersMax(int max) {
    return with(to -> to.workersMax = max);
  }

  public TransportOptions withCloseTimeoutMillis(int millis) {
    return with(to -> to.closeTimeoutMillis = millis);
  }

  public TransportOptions withHandshakeMillisMax(int millis) {
    return with(to -> to.handshakeMillisMax = millis);
  }

  public TransportOptions withTls(TlsState state) {
    return with(to -> to.tls = state);
  }

  private TransportOptions with(Consumer<Draft> change) {
    var draft = new Draft();
    draft.ipv6 = ipv6;
    draft.connectionsMax = connectionsMax;
    draft.dedicatedThreadsMax = dedicatedThreadsMax;
    draft.idleParkMillis = idleParkMillis;
    draft.reservedConnections = reservedConnections;
    draft.workersMax = workersMax;
    draft.closeTimeoutMillis = closeTimeoutMillis;
    draft.handshakeMillisMax = handshakeMillisMax;
    draft.tls = tls;
    change.accept(draft);
    return new TransportOptions(
        bindAddresses,
        port,
        draft.ipv6,
        draft.connectionsMax,
        draft.dedicatedThreadsMax,
        draft.idleParkMillis,
        draft.reservedConnections,
        draft.workersMax,
        draft.closeTimeoutMillis,
        draft.handshakeMillisMax,
        draft.tls);
  }

  /** Options of which one is being changed. */
  private static final class Draft {
    private boolean ipv6;
    private int connectionsMax;
    private int dedicatedThreadsMax;
    private int idleParkMillis;
    private int reservedConnections;
    private int workersMax;
    private int closeTimeoutMillis;
    private int handshakeMillisMax;
    private TlsState tls;
  }
}
