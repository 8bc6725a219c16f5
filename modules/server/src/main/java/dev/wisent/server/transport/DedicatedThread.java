package dev.wisent.server.transport;

/** Whether a busy connection has a thread of its own. For the owner of the connection. */
final class DedicatedThread {
  /** A connection that sends this many messages without a pause is worth a thread of its own. */
  private static final int MESSAGES_TO_BE_BUSY = 32;

  private final Connections connections;
  private boolean held;
  private int messages;

  DedicatedThread(Connections connections) {
    this.connections = connections;
  }

  /** Counts a message; whether the connection has a thread from this one on. */
  boolean earns() {
    if (held || ++messages < MESSAGES_TO_BE_BUSY) {
      return false;
    }
    messages = 0;
    held = connections.tryDedicateThread();
    return held;
  }

  /** The connection is silent. */
  void pause() {
    messages = 0;
  }

  void release() {
    if (held) {
      connections.releaseDedicatedThread();
    }
  }
}
