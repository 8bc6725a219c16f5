package dev.wisent.server.transport;

import dev.wisent.server.memory.MessageMemory;

/**
 * The memory of the message that a connection receives or handles. Used by the connection's owner;
 * {@link #held} and {@link #giveUpClaim} by any thread.
 */
final class InputMemory {
  private final MessageMemory memory;
  private volatile long held;
  private volatile MessageMemory.Claim claim;

  InputMemory(MessageMemory memory) {
    this.memory = memory;
  }

  long held() {
    return held;
  }

  /** Takes memory if it is there, instead of what was held. */
  boolean tryTake(long bytes) {
    if (!memory.tryTake(bytes)) {
      return false;
    }
    release();
    held = bytes;
    return true;
  }

  /** For the beginning of a small message that has got no further; false if it must go. */
  boolean tryTakeReserve(long bytes) {
    if (held > 0) {
      return true;
    }
    if (!memory.tryTakeReserve(bytes)) {
      return false;
    }
    held = bytes;
    return true;
  }

  /** Prepares to wait. */
  void claim(long bytes, Runnable granted) {
    release();
    claim = memory.claim(bytes, granted);
  }

  /** Waits for what was claimed; the turn may come before this returns. */
  void enqueueClaim() {
    memory.enqueue(claim);
  }

  /** The turn has come: what was claimed is held. */
  void claimGranted() {
    held = claim.bytes();
    claim = null;
  }

  /** The turn has come for a connection that was closed meanwhile. */
  void returnGranted() {
    memory.release(claim.bytes());
  }

  /** The connection no longer waits. If it was granted already, {@link #returnGranted} follows. */
  void giveUpClaim() {
    memory.cancel(claim);
  }

  void release() {
    long bytes = held;
    if (bytes > 0) {
      held = 0;
      memory.release(bytes);
    }
  }
}
