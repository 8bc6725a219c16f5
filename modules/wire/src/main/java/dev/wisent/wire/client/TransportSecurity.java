package dev.wisent.wire.client;

import dev.wisent.wire.HostAndPort;
import java.io.IOException;
import java.net.Socket;

/** Encrypts a connection before the first message. */
@FunctionalInterface
public interface TransportSecurity {
  TransportSecurity NONE = (connected, host) -> connected;

  /**
   * Returns the socket that messages go through. Closing {@code connected} ends the handshake of
   * it, too.
   */
  Socket secure(Socket connected, HostAndPort host) throws IOException;
}
