package dev.wisent.wire.client;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;

/**
 * A call failed before its whole request was sent, so that the other node cannot have begun it: it
 * may be repeated, whatever it does.
 */
public final class UnsentCallException extends CommandException {
  private static final long serialVersionUID = 1L;

  public UnsentCallException(String message) {
    super(ErrorCode.HOST_UNREACHABLE, message);
  }
}
