package dev.wisent.server.command.transaction;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
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
      long time = End.of(request).commitTime();
      if (time != 0 && set != null) {
        // The entry of the commit comes after it.
        set.clock().advanceTo(time);
      }
      try {
        transactions.commit(request, context.operation(), time);
      } catch (CommandException e) {
        throw isUnknown(e, time != 0) ? confirmed(e, context.operation()) : e;
      }
    };
  }

  Command abort() {
    return (request, context, reply) -> {
      boolean decided = End.of(request).decided();
      try {
        transactions.abort(request, context.operation(), decided);
      } catch (CommandException e) {
        throw decided && isUnknown(e, true) ? confirmed(e, context.operation()) : e;
      }
    };
  }

  /** A coordinator takes both to mean that the outcome is known here. */
  private static boolean isUnknown(CommandException error, boolean ofCoordinator) {
    return error.code() == ErrorCode.NO_SUCH_TRANSACTION
        || (ofCoordinator && error.code() == ErrorCode.TRANSACTION_TOO_OLD);
  }

  /**
   * That there is no such transaction holds only on a member that leads: another one may have
   * prepared or committed it.
   */
  private CommandException confirmed(CommandException error, OperationContext operation) {
    if (set != null) {
      set.confirmPrimary(operation);
    }
    return error;
  }

  /**
   * What ends a transaction.
   *
   * @param commitTime that a coordinator has decided on; 0 if none has
   * @param decided whether a coordinator has decided to abort it
   */
  private record End(long commitTime, boolean decided) {
    static End of(CommandRequest request) {
      ArgumentReader arguments = ArgumentReader.of(request);
      long commitTime = 0;
      boolean decided = false;
      while (arguments.next()) {
        switch (arguments.name()) {
          // It tells routers where to ask.
          case "recoveryToken" -> arguments.document();
          case "commitTimestamp" -> commitTime = commitTime(request, arguments.value());
          case "decided" -> decided = arguments.bool();
          default -> arguments.unknown();
        }
      }
      if (!request.isInTransaction()) {
        throw new CommandException(
            ErrorCode.COMMAND_FAILED, request.name() + " must be run within a transaction");
      }
      return new End(commitTime, decided);
    }

    private static long commitTime(CommandRequest request, RawValue given) {
      if (given.type() != ElementType.TIMESTAMP || request.name().equals("abortTransaction")) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS,
            request.name() + " provided commitTimestamp to unprepared transaction.");
      }
      return given.asInt64();
    }
  }
}
