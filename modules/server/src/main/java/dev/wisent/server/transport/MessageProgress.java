package dev.wisent.server.transport;

import java.util.concurrent.locks.Lock;

/**
 * Whether a connection handles a message, and whether it has been the same one for long. The owner
 * begins and ends messages, the watch looks.
 */
final class MessageProgress {
  /** One step at the start and one at the end of each message, so odd while one is handled. */
  private volatile long progress;

  /** The owner's copy of {@link #progress}. */
  private long steps;

  /** What {@link #progress} was when the watch last came by; the watch's alone. */
  private long watched;

  void begin() {
    progress = ++steps;
  }

  /**
   * @param socket held while the watch asks the socket about the message
   */
  void end(Lock socket) {
    socket.lock();
    try {
      progress = ++steps;
    } finally {
      socket.unlock();
    }
  }

  boolean isHandling() {
    return (progress & 1) == 1;
  }

  /** For the watch: whether the same message is handled as at the look before. */
  boolean isHandlingStill() {
    long seen = progress;
    boolean still = (seen & 1) == 1 && seen == watched;
    watched = seen;
    return still;
  }

  /** Whether it is the same message as at the last look, which was in {@link #isHandlingStill}. */
  boolean isUnchanged() {
    return progress == watched;
  }
}
