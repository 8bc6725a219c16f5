package dev.wisent.server.command.transaction;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.OperationContext;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.transaction.ClientTransactions;

/** {@code commitTransaction} and {@code abortTransaction}; both may be sent again. */
final class TransactionCommands {
  private final ClientTransactions transactions;
  private final ReplicaSet set;

  /**
   * @param set null on a standalone, which refuses transactions, and on a router
   */
  TransactionCommands(ClientTransactions transactions, ReplicaSet set) {
    this.transactions = transactions;
    this.set = set;
  }

  Command commit() {
    return (request, context, reply) -> {
      check(request);
      try {
        transactions.commit(request, context.operation());
      } catch (CommandException e) {
        throw e.code() == ErrorCode.NO_SUCH_TRANSACTION ? confirmed(e, context.operation()) : e;
      }
    };
  }

  Command abort() {
    return (request, context, reply) -> {
      check(request);
      transactions.abort(request, context.operation());
    };
  }

  /**
   * That a transaction was not committed holds only on a member that leads: elsewhere another one
   * may have committed it.
   */
  private CommandException confirmed(CommandException error, OperationContext operation) {
    if (set != null) {
      set.confirmPrimary(operation);
    }
    return error;
  }

  private static void check(CommandRequest request) {
    ArgumentReader arguments = ArgumentReader.of(request);
    while (arguments.next()) {
      switch (arguments.name()) {
        // It tells routers where to ask.
        case "recoveryToken" -> arguments.document();
        case "commitTimestamp" ->
            throw new CommandException(
                ErrorCode.INVALID_OPTIONS,
                request.name() + " provided commitTimestamp to unprepared transaction.");
        default -> arguments.unknown();
      }
    }
    if (!request.isInTransaction()) {
      throw new CommandException(
          ErrorCode.COMMAND_FAILED, request.name() + " must be run within a transaction");
    }
  }
}
