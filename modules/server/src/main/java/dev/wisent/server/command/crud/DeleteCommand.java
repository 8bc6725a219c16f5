package dev.wisent.server.command.crud;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.Operations;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.ExplainableCommand;
import dev.wisent.server.metrics.DocumentCounts;
import java.util.List;

/** {@code delete}. */
public final class DeleteCommand implements ExplainableCommand {
  private final Operations operations;
  private final DocumentCounts counts;

  public DeleteCommand(Operations operations, DocumentCounts counts) {
    this.operations = operations;
    this.counts = counts;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    WriteOutcome outcome =
        Writes.checked(
            operations.delete(context.operation(), parse(request, context)),
            request,
            context.operation());
    counts.addDeleted(outcome.matched());
    reply.appendInt32("n", (int) outcome.matched());
    Writes.appendEnd(reply, outcome);
  }

  @Override
  public DeleteRequest parseForExplain(CommandRequest request, CommandContext context) {
    DeleteRequest parsed = parse(request, context);
    Writes.checkExplained(parsed.statements());
    return parsed;
  }

  private static DeleteRequest parse(CommandRequest request, CommandContext context) {
    WriteBatch batch = WriteBatch.parseWithLet(request, "deletes", context);
    List<DeleteStatement> statements =
        batch.statements().stream().map(DeleteStatements.OF_DELETE::parse).toList();
    return new DeleteRequest(batch.namespace(), statements, batch.ordered());
  }
}
