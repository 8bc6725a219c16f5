package dev.wisent.server.connection;

import dev.wisent.base.log.Log;
import dev.wisent.server.transport.ConnectionContext;
import dev.wisent.server.transport.ForeignProtocol;
import dev.wisent.server.transport.TransportLog;
import java.io.IOException;
import java.util.Set;

/** What the transport reports, as log lines. */
public final class ConnectionLog implements TransportLog {
  public static final int CLIENT_METADATA = 51800;
  private static final int OPENED = 22943;
  private static final int ENDED = 22944;

  /** What {@code quiet} leaves out: connections that come and go. */
  public static final Set<Integer> ROUTINE = Set.of(OPENED, ENDED, CLIENT_METADATA);

  private static final int FOREIGN_PROTOCOL = 22992;
  private static final int SLOW_CLIENT = 22993;
  private static final int MALFORMED = 22989;
  private static final int HANDSHAKE_FAILED = 9_000_420;
  private static final int REFUSED = 22942;
  private static final int ACCEPT_FAILED = 22953;
  private static final int FAILED = 22990;
  private static final int CLOSE_TIMED_OUT = 22991;

  private final Log log;

  public ConnectionLog(Log log) {
    this.log = log;
  }

  @Override
  public void connectionOpened(ConnectionContext connection, int connections) {
    logChange(OPENED, "Connection accepted", connection, connections);
  }

  @Override
  public void connectionEnded(ConnectionContext connection, int connections) {
    logChange(ENDED, "Connection ended", connection, connections);
  }

  private void logChange(int id, String message, ConnectionContext connection, int connections) {
    log.info(
        id,
        message,
        "remote",
        connection.remoteAddress(),
        "connectionId",
        connection.id(),
        "connectionCount",
        connections);
  }

  @Override
  public void foreignProtocol(ConnectionContext connection, ForeignProtocol protocol) {
    log.warn(
        FOREIGN_PROTOCOL,
        switch (protocol) {
          case HTTP -> "Closing connection: the client speaks HTTP on the port for drivers";
          case TLS -> "Closing connection: the client speaks TLS, which this server does not";
        },
        "remote",
        connection.remoteAddress(),
        "connectionId",
        connection.id());
  }

  @Override
  public void handshakeFailed(ConnectionContext connection, String reason) {
    log.info(
        HANDSHAKE_FAILED,
        "Closing connection: the handshake of TLS has failed",
        "remote",
        connection.remoteAddress(),
        "connectionId",
        connection.id(),
        "error",
        reason);
  }

  @Override
  public void slowClient(ConnectionContext connection, long bytesMoved) {
    log.warn(
        SLOW_CLIENT,
        "Closing connection: its client is slow, and others wait for the memory of its message",
        "remote",
        connection.remoteAddress(),
        "connectionId",
        connection.id(),
        "bytesMoved",
        bytesMoved);
  }

  @Override
  public void malformedMessage(ConnectionContext connection, String reason) {
    log.info(
        MALFORMED,
        "Closing connection after a malformed message",
        "connectionId",
        connection.id(),
        "remote",
        connection.remoteAddress(),
        "error",
        reason);
  }

  @Override
  public void connectionRefused(String remoteAddress, int connectionsMax) {
    log.info(
        REFUSED,
        "Connection refused because there are too many open connections",
        "remote",
        remoteAddress,
        "connectionsMax",
        connectionsMax);
  }

  @Override
  public void acceptFailed(String localAddress, IOException cause) {
    log.warn(
        ACCEPT_FAILED,
        "Cannot accept a connection",
        "address",
        localAddress,
        "error",
        String.valueOf(cause.getMessage()));
  }

  @Override
  public void connectionFailed(ConnectionContext connection, Throwable cause) {
    log.error(FAILED, "Connection failed", cause, "connectionId", connection.id());
  }

  @Override
  public void closeTimedOut(int connections) {
    log.warn(CLOSE_TIMED_OUT, "Connections still busy at shutdown", "count", connections);
  }
}
