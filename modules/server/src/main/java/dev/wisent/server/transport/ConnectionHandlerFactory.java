package dev.wisent.server.transport;

/** Makes the handler of a new connection. */
@FunctionalInterface
public interface ConnectionHandlerFactory {
  /** Called on the accepting thread, so it must be quick. */
  ConnectionHandler opened(ConnectionContext connection);
}
