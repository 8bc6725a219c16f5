package dev.wisent.cli;

/** A wish to stop, which may come before there is a server to stop. Thread-safe. */
final class StopRequest {
  private boolean requested;
  private RunningServer server;

  synchronized void request() {
    requested = true;
    notifyAll();
    if (server != null) {
      server.requestStop();
    }
  }

  /** Waits for a while; returns whether there was a wish to stop by then. */
  synchronized boolean await(long millis) throws InterruptedException {
    if (!requested) {
      wait(millis);
    }
    return requested;
  }

  /** Passes on a wish that came before, and those that come later. */
  synchronized void forwardTo(RunningServer started) {
    server = started;
    if (requested) {
      server.requestStop();
    }
  }
}
