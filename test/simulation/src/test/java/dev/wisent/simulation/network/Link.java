package dev.wisent.simulation.network;

import dev.wisent.simulation.machine.Host;

/** A connection between two processes. */
final class Link {
  private final Network network;
  private final Host client;
  private final Host server;
  private final Pipe toServer;
  private final Pipe toClient;
  private Runnable whenBroken = () -> {};

  Link(Network network, Host client, Host server) {
    this.network = network;
    this.client = client;
    this.server = server;
    this.toServer = new Pipe(this, network, server);
    this.toClient = new Pipe(this, network, client);
  }

  Host client() {
    return client;
  }

  Host server() {
    return server;
  }

  Pipe toServer() {
    return toServer;
  }

  Pipe toClient() {
    return toClient;
  }

  /** What the server does when it notices that its client is gone. */
  void whenBroken(Runnable action) {
    whenBroken = action;
  }

  /** Both ends notice, each in its time; what is on its way comes before. */
  void cut(long delayNanos) {
    network.ended(this);
    toServer.end(delayNanos);
    toClient.end(delayNanos);
  }

  /** The server's end has noticed. */
  void serverNoticed() {
    if (!server.isDead()) {
      server.start("conn-gone", whenBroken);
    }
  }
}
