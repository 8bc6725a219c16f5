package dev.wisent.cluster.shard.transaction;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.List;

/**
 * {@code coordinateCommitTransaction}. Without participants it asks for the outcome of a
 * transaction that has written here, and ends one that has none yet.
 */
public final class CoordinateCommitCommand implements Command {
  private static final String TRANSIENT = "TransientTransactionError";

  private final Transactions transactions;

  public CoordinateCommitCommand(Transactions transactions) {
    this.transactions = transactions;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ArgumentReader arguments = ArgumentReader.of(request);
    boolean any = false;
    while (arguments.next()) {
      switch (arguments.name()) {
        case "participants" -> any = arguments.value().elements().next();
        default -> arguments.unknown();
      }
    }
    if (!request.isInTransaction()) {
      throw new CommandException(
          ErrorCode.COMMAND_FAILED, "coordinateCommitTransaction must be run within a transaction");
    }
    if (any) {
      throw new CommandException(
          ErrorCode.COMMAND_NOT_SUPPORTED, "a commit on several shards is not supported yet");
    }
    recover(context.operation(), request.transaction());
  }

  private void recover(OperationContext operation, TransactionId id) {
    try {
      transactions.abort(operation, id);
    } catch (CommandException e) {
      if (e.code() != ErrorCode.TRANSACTION_COMMITTED) {
        throw e;
      }
      // Has the write concern wait for the commit.
      transactions.commit(operation, id);
      return;
    }
    throw new CommandException(
        ErrorCode.NO_SUCH_TRANSACTION,
        "Transaction with { txnNumber: " + id.number() + " } has been aborted.",
        List.of(TRANSIENT));
  }
}
