package dev.wisent.server.transport;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

final class RecordingLog implements TransportLog {
  final List<String> lines = new CopyOnWriteArrayList<>();

  /** Not among the lines: most tests do not care. */
  final List<String> changes = new CopyOnWriteArrayList<>();

  @Override
  public void connectionOpened(ConnectionContext connection, int connections) {
    changes.add("opened " + connections);
  }

  @Override
  public void connectionEnded(ConnectionContext connection, int connections) {
    changes.add("ended " + connections);
  }

  @Override
  public void foreignProtocol(ConnectionContext connection, ForeignProtocol protocol) {
    lines.add("foreign " + protocol);
  }

  @Override
  public void handshakeFailed(ConnectionContext connection, String reason) {
    lines.add("handshake " + reason);
  }

  @Override
  public void slowClient(ConnectionContext connection, long bytesMoved) {
    lines.add("slow");
  }

  @Override
  public void malformedMessage(ConnectionContext connection, String reason) {
    lines.add("malformed " + reason);
  }

  @Override
  public void connectionRefused(String remoteAddress, int connectionsMax) {
    lines.add("refused " + connectionsMax);
  }

  @Override
  public void acceptFailed(String localAddress, IOException cause) {
    lines.add("accept " + cause);
  }

  @Override
  public void connectionFailed(ConnectionContext connection, Throwable cause) {
    lines.add("failed " + cause.getMessage());
  }

  @Override
  public void closeTimedOut(int connections) {
    lines.add("timed out " + connections);
  }
}
