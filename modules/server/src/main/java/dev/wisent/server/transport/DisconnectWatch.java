package dev.wisent.server.transport;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Looks at the connections whose message has been running since the last round, so that an
 * operation can end when its client has gone. Costs the messages themselves nothing.
 */
final class DisconnectWatch implements Runnable {
  private static final long PERIOD_MILLIS = 500;

  private final Connections connections;
  private final CountDownLatch closed = new CountDownLatch(1);

  DisconnectWatch(Connections connections) {
    this.connections = connections;
  }

  @Override
  public void run() {
    try {
      while (!closed.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS)) {
        connections.watch();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void close() {
    closed.countDown();
  }
}
