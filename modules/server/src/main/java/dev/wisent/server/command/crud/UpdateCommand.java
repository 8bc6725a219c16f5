package dev.wisent.server.command.crud;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.Operations;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.ExplainableCommand;
import dev.wisent.server.metrics.DocumentCounts;
import java.util.List;

/** {@code update}. */
public final class UpdateCommand implements ExplainableCommand {
  private final Operations operations;
  private final DocumentCounts counts;

  public UpdateCommand(Operations operations, DocumentCounts counts) {
    this.operations = operations;
    this.counts = counts;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    WriteOutcome outcome =
        Writes.checked(
            operations.update(context.operation(), parse(request, context)),
            request,
            context.operation());
    counts.addUpdated(outcome.modified());
    counts.addInserted(outcome.upserted().size());
    reply.appendInt32("n", (int) (outcome.matched() + outcome.upserted().size()));
    appendUpserted(reply, outcome);
    reply.appendInt32("nModified", (int) outcome.modified());
    Writes.appendEnd(reply, outcome);
  }

  @Override
  public UpdateRequest parseForExplain(CommandRequest request, CommandContext context) {
    UpdateRequest parsed = parse(request, context);
    Writes.checkExplained(parsed.statements());
    return parsed;
  }

  private static UpdateRequest parse(CommandRequest request, CommandContext context) {
    WriteBatch batch = WriteBatch.parseWithLet(request, "updates", context);
    List<UpdateStatement> statements =
        batch.statements().stream().map(UpdateStatements.OF_UPDATE::parse).toList();
    return new UpdateRequest(
        batch.namespace(), statements, batch.ordered(), batch.bypassValidation());
  }

  private static void appendUpserted(BsonBuilder reply, WriteOutcome outcome) {
    if (outcome.upserted().isEmpty()) {
      return;
    }
    reply.startArray("upserted");
    int position = 0;
    for (WriteOutcome.Upserted upserted : outcome.upserted()) {
      reply.startDocument(position++);
      reply.appendInt32("index", upserted.index());
      reply.append("_id", upserted.id());
      reply.end();
    }
    reply.end();
  }
}
