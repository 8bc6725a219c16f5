package dev.wisent.server.transport;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The few connections beyond the limit. Any client may have got one, so a new connection takes the
 * place of another one: of the oldest of those that never looked after the node, or else of the one
 * that has not for the longest time. Thread-safe.
 */
final class ReservedConnections {
  private final int countMax;

  /** Those that never looked after the node, the oldest first. Guarded by this. */
  private final Set<Connection> others = new LinkedHashSet<>();

  /** Those that did, the one that has not for the longest time first. Guarded by this. */
  private final Set<Connection> administrators = new LinkedHashSet<>();

  ReservedConnections(int countMax) {
    this.countMax = countMax;
  }

  synchronized int size() {
    return others.size() + administrators.size();
  }

  /** Adds a connection; returns the one that has to be closed for it, or null. */
  synchronized Connection add(Connection connection) {
    Connection replaced = null;
    if (size() >= countMax) {
      Set<Connection> from = others.isEmpty() ? administrators : others;
      replaced = from.iterator().next();
      from.remove(replaced);
    }
    others.add(connection);
    return replaced;
  }

  /** A connection looks after the node; nothing happens for one that is not reserved. */
  synchronized void administered(Connection connection) {
    if (others.remove(connection) || administrators.remove(connection)) {
      administrators.add(connection);
    }
  }

  synchronized void remove(Connection connection) {
    others.remove(connection);
    administrators.remove(connection);
  }
}
