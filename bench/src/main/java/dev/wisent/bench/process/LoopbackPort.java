package dev.wisent.bench.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds ports for the servers that we start. */
public final class LoopbackPort {
  private LoopbackPort() {}

  /** A port that no process listened on a moment ago. */
  public static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
