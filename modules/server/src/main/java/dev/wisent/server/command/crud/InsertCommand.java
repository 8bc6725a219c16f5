package dev.wisent.server.command.crud;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Operations;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.metrics.DocumentCounts;

/** {@code insert}. */
public final class InsertCommand implements Command {
  private final Operations operations;
  private final DocumentCounts counts;

  public InsertCommand(Operations operations, DocumentCounts counts) {
    this.operations = operations;
    this.counts = counts;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    WriteBatch batch = WriteBatch.parse(request, "documents", context);
    WriteOutcome outcome =
        Writes.checked(
            operations.insert(
                context.operation(),
                new InsertRequest(
                    batch.namespace(),
                    batch.statements(),
                    batch.ordered(),
                    batch.bypassValidation())),
            request,
            context.operation());
    counts.addInserted(outcome.matched());
    reply.appendInt32("n", (int) outcome.matched());
    Writes.appendEnd(reply, outcome);
  }
}
