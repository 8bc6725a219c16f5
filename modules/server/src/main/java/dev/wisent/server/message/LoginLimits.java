package dev.wisent.server.message;

import dev.wisent.base.Clock;
import dev.wisent.base.Limits;
import dev.wisent.base.log.Log;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.connection.ConnectedClients;

/**
 * What connections may take that have to log in and have not: short messages, and a place only
 * while they say something. Without it, those who know no password could fill the memory. Safe for
 * any thread.
 */
public final class LoginLimits {
  public static final int CHECK_SECONDS = 5;

  private static final int OVERDUE_LOG_ID = 9_000_433;

  private final boolean loginRequired;
  private final ConnectedClients clients;
  private final Clock clock;
  private final Log log;

  /**
   * @param loginRequired whether there is access control
   */
  public LoginLimits(boolean loginRequired, ConnectedClients clients, Clock clock, Log log) {
    this.loginRequired = loginRequired;
    this.clients = clients;
    this.clock = clock;
    this.log = log;
  }

  private boolean limits(ClientConnection client) {
    return loginRequired && client.identity().isEmpty();
  }

  int messageBytesMax(ClientConnection client) {
    return limits(client) ? Limits.UNAUTHENTICATED_MESSAGE_BYTES_MAX : Limits.MESSAGE_BYTES_MAX;
  }

  /** A connection is open. */
  public void opened(ClientConnection client) {
    if (loginRequired) {
      client.silentUntil(clock.monotonicNanos(), Limits.FIRST_MESSAGE_SECONDS_MAX);
    }
  }

  void messageBegins(ClientConnection client) {
    if (limits(client)) {
      client.speaks();
    }
  }

  void messageEnded(ClientConnection client) {
    if (limits(client)) {
      client.silentUntil(clock.monotonicNanos(), Limits.UNAUTHENTICATED_SILENCE_SECONDS_MAX);
    }
  }

  /** Closes the connections that have not logged in and have been silent for too long. */
  public void closeOverdue() {
    if (!loginRequired) {
      return;
    }
    long now = clock.monotonicNanos();
    for (ClientConnection client : clients.all()) {
      if (limits(client) && client.isOverdue(now)) {
        log.info(
            OVERDUE_LOG_ID,
            "Closing connection: its client has not logged in",
            "remote",
            client.remoteAddress(),
            "connectionId",
            client.id());
        client.close();
      }
    }
  }
}
