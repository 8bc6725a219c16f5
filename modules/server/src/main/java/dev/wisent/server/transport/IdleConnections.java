package dev.wisent.server.transport;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Holds the connections that have been silent for a while and wakes those that speak again. */
final class IdleConnections {
  private final Selector selector;
  private final TransportLog log;
  private final Queue<Connection> arriving = new ConcurrentLinkedQueue<>();
  private final List<Connection> waking = new ArrayList<>();

  IdleConnections(TransportLog log) throws IOException {
    this.selector = Selector.open();
    this.log = log;
  }

  /** Takes a connection over from its owner. */
  void add(Connection connection) {
    arriving.add(connection);
    selector.wakeup();
  }

  /** Lets go of connections that were closed. */
  void wakeUp() {
    selector.wakeup();
  }

  /** Waits for connections that speak or arrive. A turn that failed has left none behind. */
  void turn() throws IOException {
    if (waking.isEmpty() && arriving.isEmpty()) {
      selector.select(this::claim);
    } else {
      selector.selectNow(this::claim);
    }
    wakeClaimed();
    registerArriving();
  }

  private void claim(SelectionKey key) {
    var connection = (Connection) key.attachment();
    if (connection.claim()) {
      key.cancel();
      waking.add(connection);
    }
  }

  private void wakeClaimed() throws IOException {
    if (waking.isEmpty()) {
      return;
    }
    // A cancelled key is only gone after another selection; until then the channel could not be
    // registered again. What is ready now is still ready at the next select.
    selector.selectNow(key -> {});
    while (!waking.isEmpty()) {
      waking.removeLast().wakeUp();
    }
  }

  private void registerArriving() {
    for (Connection next; (next = arriving.poll()) != null; ) {
      try {
        next.register(selector);
      } catch (IOException e) {
        giveUp(next);
      } catch (RuntimeException e) {
        log.connectionFailed(next, e);
        giveUp(next);
      }
    }
  }

  /** Unless another thread closed it, which then also ends it. */
  private static void giveUp(Connection connection) {
    if (connection.claim()) {
      connection.end();
    }
  }

  void close() {
    try {
      selector.close();
    } catch (IOException e) {
      // Nothing is registered any more, and the descriptor is released all the same.
    }
  }
}
