package dev.wisent.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Finds loopback ports that nobody listens on. */
public final class FreePort {

  // Below the ephemeral range: a port that a restarted server must get back may not be taken by
  // some client's outgoing connection in between.
  private static final int LOWEST = 20_000;
  private static final int PORTS_PER_FORK = 3_500;

  // Tests that run side by side keep apart: a server that is down has a port that nobody listens on
  // and that it must get back.
  private static final int FIRST =
      LOWEST + PORTS_PER_FORK * ((Integer.getInteger("wisent.testFork", 1) - 1) % 2);

  private static final int ATTEMPTS = 200;

  private FreePort() {}

  /** A port that could be bound a moment ago. */
  public static int find() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, FIRST + PORTS_PER_FORK);
      if (canBind(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port from " + FIRST + " on");
  }

  /** Whether nobody listens on a port at the moment. */
  public static boolean canBind(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
