package dev.wisent.operation;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;

/** What an operation throws that must stop. */
final class Interruptions {
  private Interruptions() {}

  static CommandException outOfTime() {
    return new CommandException(ErrorCode.MAX_TIME_MS_EXPIRED, "operation exceeded time limit");
  }

  static CommandException by(ErrorCode reason) {
    return new CommandException(
        reason,
        reason == ErrorCode.INTERRUPTED_AT_SHUTDOWN
            ? "interrupted at shutdown"
            : "operation was interrupted");
  }
}
