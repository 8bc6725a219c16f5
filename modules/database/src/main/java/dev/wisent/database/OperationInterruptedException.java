package dev.wisent.database;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;

/**
 * The operation has to stop: somebody killed it, its time is over, or its client has gone. It ends
 * a whole batch of writes, where any other error is that of one statement.
 */
public final class OperationInterruptedException extends CommandException {
  private static final long serialVersionUID = 1L;

  OperationInterruptedException(ErrorCode code, String message) {
    super(code, message);
  }
}
