package dev.wisent.server.transport;

import dev.wisent.base.Limits;

/**
 * How the large messages of a connection get on, in and out. The owner tells what it moves; the
 * watch looks at regular intervals whether the client is too slow.
 */
final class LargeTransfer {
  private static final long BYTES_PER_LOOK =
      Limits.LARGE_MESSAGE_BYTES_PER_SECOND_MIN * DisconnectWatch.PERIOD.toMillis() / 1000;

  /** The owner's copy of {@link #moved}. */
  private long movedBytes;

  private volatile long moved;
  private volatile boolean writing;

  // What the watch alone uses.

  /** What {@link #moved} was when it last came by. */
  private long watched;

  private boolean wasActive;

  /** How much less was moved than should have been. */
  private long missing;

  void moved(int count) {
    movedBytes += count;
    moved = movedBytes;
  }

  void writing(boolean large) {
    writing = large;
  }

  /** The bytes of large messages that were read and written so far. */
  long moved() {
    return moved;
  }

  /**
   * Looks once more.
   *
   * @param wanted whether others wait for the memory
   * @param receiving whether a message that holds memory is being received
   * @param looksMax looks for which a client may be too slow
   */
  boolean isTooSlow(boolean wanted, boolean receiving, int looksMax) {
    long now = moved;
    boolean active = wanted && (receiving || writing);
    // One that has just begun is not slow yet.
    missing = active && wasActive ? Math.max(0, missing + BYTES_PER_LOOK - (now - watched)) : 0;
    wasActive = active;
    watched = now;
    return missing >= looksMax * BYTES_PER_LOOK;
  }
}
