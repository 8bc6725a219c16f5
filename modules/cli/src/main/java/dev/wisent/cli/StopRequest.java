package dev.wisent.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A wish to stop, which may come before there is a server to stop. Thread-safe. */
final class StopRequest {
  private final CountDownLatch requested = new CountDownLatch(1);
  private RunningServer server; // guarded by this

  synchronized void request() {
    requested.countDown();
    if (server != null) {
      server.requestStop();
    }
  }

  /** Waits for a while; returns whether there was a wish to stop by then. */
  boolean await(long millis) throws InterruptedException {
    return requested.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Passes on a wish that came before, and those that come later. */
  synchronized void forwardTo(RunningServer started) {
    server = started;
    if (requested.getCount() == 0) {
      server.requestStop();
    }
  }
}
