package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;

/** Session and transaction arguments as a standalone node takes them. */
final class SessionArguments {
  private SessionArguments() {}

  static void check(CommandRequest request, CommandSpec spec) {
    if (request.transactionNumber() == null) {
      if (request.autocommit() != null || request.startTransaction()) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS, "Transaction number required for a transaction");
      }
      return;
    }
    if (request.sessionId() == null) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Transaction number requires a session ID to also be specified");
    }
    throw new CommandException(
        ErrorCode.ILLEGAL_OPERATION,
        "Transaction numbers are only allowed on a replica set member or mongos");
  }
}
