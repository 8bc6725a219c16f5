package dev.wisent.server.connection;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;

/** The connections that are open now. Thread-safe. */
public final class ConnectedClients {
  private final ConcurrentHashMap<Long, ClientConnection> clients = new ConcurrentHashMap<>();

  public void opened(ClientConnection client) {
    clients.put(client.id(), client);
  }

  public void closed(ClientConnection client) {
    clients.remove(client.id());
  }

  public Collection<ClientConnection> all() {
    return clients.values();
  }
}
