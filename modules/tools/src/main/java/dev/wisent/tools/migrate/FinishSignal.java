package dev.wisent.tools.migrate;

import dev.wisent.tools.command.Surroundings;
import java.io.IOException;
import java.io.InputStream;

/** Enter on the terminal. For one thread. */
final class FinishSignal {
  private final InputStream in;

  FinishSignal(Surroundings surroundings) {
    this.in = surroundings.terminal() ? surroundings.in() : InputStream.nullInputStream();
  }

  /** Looks without waiting. */
  boolean isGiven() {
    try {
      boolean given = false;
      while (in.available() > 0) {
        given |= in.read() == '\n';
      }
      return given;
    } catch (IOException e) {
      return false; // no terminal any more
    }
  }
}
