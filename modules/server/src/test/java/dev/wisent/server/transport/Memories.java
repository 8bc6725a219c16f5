package dev.wisent.server.transport;

import dev.wisent.base.Clock;
import dev.wisent.server.memory.MessageMemory;

/** Budgets for tests. */
final class Memories {
  private Memories() {}

  /** More than a test needs. */
  static MessageMemory ample() {
    return of(1L << 30);
  }

  static MessageMemory of(long bytes) {
    var memory = new MessageMemory(Clock.system(), bytes);
    // No client of a test is slow by chance.
    memory.slowClientMillis(600_000);
    return memory;
  }
}
