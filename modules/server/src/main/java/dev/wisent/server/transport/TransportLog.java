package dev.wisent.server.transport;

import java.io.IOException;

/** What a transport reports. Called on its threads, so implementations only write a line. */
public interface TransportLog {
  /**
   * A connection was let in.
   *
   * @param connections how many are open now
   */
  void connectionOpened(ConnectionContext connection, int connections);

  /** A connection has ended. */
  void connectionEnded(ConnectionContext connection, int connections);

  /** The client speaks another protocol; the connection is closed. */
  void foreignProtocol(ConnectionContext connection, ForeignProtocol protocol);

  /** The client did not encrypt as it has to, or its certificate is refused; it is closed. */
  void handshakeFailed(ConnectionContext connection, String reason);

  /** A connection is closed because it held memory that others waited for, and moved little. */
  void slowClient(ConnectionContext connection, long bytesMoved);

  /** Once for each connection that sent a message with an impossible length; it is closed. */
  void malformedMessage(ConnectionContext connection, String reason);

  /** A connection was turned away because {@code connectionsMax} are open. */
  void connectionRefused(String remoteAddress, int connectionsMax);

  /** Accepting failed (typically: too many open files); once for a run of failures. */
  void acceptFailed(String localAddress, IOException cause);

  /** The handler threw, or there was no memory or thread to go on; the connection is closed. */
  void connectionFailed(ConnectionContext connection, Throwable cause);

  /** {@link Transport#close} gave up waiting for this many connections' messages. */
  void closeTimedOut(int connections);
}
