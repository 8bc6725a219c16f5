package dev.wisent.cluster.shard.transaction;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/**
 * {@code prepareTransaction}: the first phase of a commit, on each shard that has written. {@code
 * coordinatorId} is the shard that knows the outcome.
 */
public final class PrepareCommand implements Command {
  private final Transactions transactions;

  public PrepareCommand(Transactions transactions) {
    this.transactions = transactions;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ArgumentReader arguments = ArgumentReader.of(request);
    String coordinator = null;
    while (arguments.next()) {
      switch (arguments.name()) {
        case "coordinatorId" -> coordinator = arguments.string();
        default -> arguments.unknown();
      }
    }
    if (!request.isInTransaction()) {
      throw new CommandException(
          ErrorCode.COMMAND_FAILED, "prepareTransaction must be run within a transaction");
    }
    long time = transactions.prepare(context.operation(), request.transaction(), coordinator);
    reply.appendTimestamp("prepareTimestamp", time);
  }
}
