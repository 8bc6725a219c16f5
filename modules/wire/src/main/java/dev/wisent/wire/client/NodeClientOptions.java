package dev.wisent.wire.client;

import dev.wisent.wire.Compressor;
import java.time.Duration;
import java.util.List;

/**
 * How nodes are called.
 *
 * @param name of the pools in {@code connPoolStats}, and of the client in the other node's log
 * @param connectionsPerHostMax connections of one pool, in use or not
 * @param queuedPerHostMax calls that wait for a connection; more are refused
 * @param connectTimeout of a connection and its handshake
 * @param idleTimeout after which a connection without calls is closed
 * @param compressors offered in the handshake, the preferred one first
 */
public record NodeClientOptions(
    String name,
    int connectionsPerHostMax,
    int queuedPerHostMax,
    Duration connectTimeout,
    Duration idleTimeout,
    List<Compressor> compressors,
    TransportSecurity security,
    InternalAuthentication authentication,
    ClusterTimeGossip gossip) {
  private static final int CONNECTIONS_PER_HOST_MAX = 64;
  private static final int QUEUED_PER_HOST_MAX = 10_000;

  public NodeClientOptions {
    compressors = List.copyOf(compressors);
    if (connectionsPerHostMax < 1 || queuedPerHostMax < 1) {
      throw new IllegalArgumentException("a pool without a connection or a queue");
    }
  }

  /** Without compression, encryption and authentication. */
  public static NodeClientOptions plain(String name) {
    return new NodeClientOptions(
        name,
        CONNECTIONS_PER_HOST_MAX,
        QUEUED_PER_HOST_MAX,
        Duration.ofSeconds(10),
        Duration.ofMinutes(5),
        List.of(),
        TransportSecurity.NONE,
        InternalAuthentication.NONE,
        ClusterTimeGossip.NONE);
  }

  public NodeClientOptions withCompressors(List<Compressor> offered) {
    return new NodeClientOptions(
        name,
        connectionsPerHostMax,
        queuedPerHostMax,
        connectTimeout,
        idleTimeout,
        offered,
        security,
        authentication,
        gossip);
  }

  public NodeClientOptions withBounds(int connections, int queued) {
    return new NodeClientOptions(
        name,
        connections,
        queued,
        connectTimeout,
        idleTimeout,
        compressors,
        security,
        authentication,
        gossip);
  }

  public NodeClientOptions withGossip(ClusterTimeGossip times) {
    return new NodeClientOptions(
        name,
        connectionsPerHostMax,
        queuedPerHostMax,
        connectTimeout,
        idleTimeout,
        compressors,
        security,
        authentication,
        times);
  }

  public NodeClientOptions withSecurity(TransportSecurity encryption) {
    return new NodeClientOptions(
        name,
        connectionsPerHostMax,
        queuedPerHostMax,
        connectTimeout,
        idleTimeout,
        compressors,
        encryption,
        authentication,
        gossip);
  }

  public NodeClientOptions withAuthentication(InternalAuthentication proof) {
    return new NodeClientOptions(
        name,
        connectionsPerHostMax,
        queuedPerHostMax,
        connectTimeout,
        idleTimeout,
        compressors,
        security,
        proof,
        gossip);
  }
}
