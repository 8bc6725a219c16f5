package dev.wisent.server.authentication;

import dev.wisent.security.UserName;
import dev.wisent.security.user.User;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.connection.ClientConnection;

/**
 * A login as logs, counters and the audit log see it.
 *
 * @param user as the client gave it, which need not exist
 * @param isSpeculative whether it has begun in {@code hello}
 * @param isInHello whether it is there now; a login that fails there is tried again
 * @param proven whose credentials the client knows; null where those are not stored
 */
record LoginAttempt(
    CommandContext context,
    UserName user,
    String mechanism,
    boolean isSpeculative,
    boolean isInHello,
    User proven) {
  ClientConnection client() {
    return context.client();
  }

  /** The client's address without its port. */
  String address() {
    return withoutPort(client().remoteAddress());
  }

  static String withoutPort(String address) {
    int portAt = address.lastIndexOf(':');
    return portAt < 0 ? address : address.substring(0, portAt);
  }
}
