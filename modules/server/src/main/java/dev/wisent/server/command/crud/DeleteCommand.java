package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.Operations;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
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
    WriteOutcome outcome = operations.delete(context.operation(), parse(request, context));
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
    WriteBatch batch = WriteBatch.parse(request, "deletes", context);
    List<DeleteStatement> statements =
        batch.statements().stream().map(DeleteCommand::parseStatement).toList();
    return new DeleteRequest(batch.namespace(), statements, batch.ordered());
  }

  private static DeleteStatement parseStatement(RawDocument statement) {
    RawDocument query = null;
    long limit = -1;
    RawValue hint = null;
    CollationChoice collation = CollationChoice.INHERITED;
    ArgumentReader reader = ArgumentReader.of("delete.deletes", statement);
    while (reader.next()) {
      switch (reader.name()) {
        case "q" -> query = reader.document();
        case "limit" -> limit = reader.wholeNumber();
        case "hint" -> hint = Hints.check(reader);
        case "collation" -> collation = reader.collation();
        default -> reader.unknown();
      }
    }
    if (query == null) {
      throw ArgumentTypes.missing("delete.deletes.q");
    }
    if (limit == -1) {
      throw ArgumentTypes.missing("delete.deletes.limit");
    }
    if (limit != 0 && limit != 1) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "The limit field in delete objects must be 0 or 1. Got " + limit);
    }
    return new DeleteStatement(query, limit == 0, hint, collation);
  }
}
