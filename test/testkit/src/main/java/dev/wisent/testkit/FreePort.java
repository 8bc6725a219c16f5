package dev.wisent.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Finds loopback ports that no process listens on. Each is given out once in a run. */
public final class FreePort {

  // Below the ephemeral range: a port that a restarted server must get back may not be taken by
  // some client's outgoing connection in between. Nor by the log of a member of a replica set,
  // whose ports begin above these.
  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 28_000;
  private static final int ATTEMPTS = 200;

  /** Tests that run beside each other may not have bound theirs yet. */
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private FreePort() {}

  /** A port that could be bound a moment ago. */
  public static int find() {
    return findRow(1);
  }

  /** The first of some ports in a row that could be bound a moment ago. */
  public static int findRow(int count) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int first = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (IntStream.range(first, first + count)
          .allMatch(port -> GIVEN.add(port) && canBind(port))) {
        return first;
      }
    }
    throw new IllegalStateException("no free port between " + LOWEST + " and " + HIGHEST);
  }

  /** Whether no process listens on a port at the moment. */
  private static boolean canBind(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
