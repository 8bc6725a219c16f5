package dev.wisent.cli;

/** A wish to stop, which may come before there is a server to stop. Thread-safe. */
final class StopRequest {
  private boolean requested;
  private RunningServer server;

  synchronized void request() {
    requested = true;
    if (server != null) {
      server.requestStop();
    }
  }

  /** Passes on a wish that came before, and those that come later. */
  synchronized void forwardTo(RunningServer started) {
    server = started;
    if (requested) {
      server.requestStop();
    }
  }
}
