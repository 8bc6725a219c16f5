package dev.wisent.bench.target;

import dev.wisent.bench.access.Encryption;
import dev.wisent.bench.access.Login;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * Where bare connections of MongoDB's protocol are opened.
 *
 * @param login what clients have to do before other commands
 */
public record WireAddress(
    InetSocketAddress socket, Optional<Encryption> encryption, Optional<Login> login) {
  static WireAddress open(InetSocketAddress socket) {
    return new WireAddress(socket, Optional.empty(), Optional.empty());
  }

  /** Opens a connection as a client that has others to this server, or has had them. */
  public WireConnection connect() throws IOException {
    return WireConnection.open(socket, encryption.map(Encryption::shared));
  }

  /** Opens a connection as a client that has just started. */
  public WireConnection connectAnew() throws IOException {
    return WireConnection.open(socket, encryption.map(Encryption::newContext));
  }
}
