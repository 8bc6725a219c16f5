package dev.wisent.server.transaction;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;

/** Ends a transaction after a statement whose reply tells which of its writes failed. */
final class StatementFailedException extends CommandException {
  private static final long serialVersionUID = 1L;

  StatementFailedException() {
    super(ErrorCode.OPERATION_FAILED, "a write of the statement failed");
  }
}
