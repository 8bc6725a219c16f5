package dev.wisent.server.connection;

import dev.wisent.base.log.Log;
import dev.wisent.server.transport.ConnectionContext;
import dev.wisent.server.transport.TransportLog;
import java.io.IOException;

/** What the transport reports, as log lines. */
public final class ConnectionLog implements TransportLog {
  private static final int MALFORMED = 22989;
  private static final int REFUSED = 22942;
  private static final int ACCEPT_FAILED = 22953;
  private static final int FAILED = 22990;
  private static final int CLOSE_TIMED_OUT = 22991;

  private final Log log;

  public ConnectionLog(Log log) {
    this.log = log;
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
