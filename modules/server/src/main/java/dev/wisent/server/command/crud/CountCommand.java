package dev.wisent.server.command.crud;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.Operations;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.ExplainableCommand;
import dev.wisent.server.command.NamespaceArgument;

/** {@code count}. */
public final class CountCommand implements ExplainableCommand {
  private final Operations operations;

  public CountCommand(Operations operations) {
    this.operations = operations;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    long count = operations.count(context.operation(), parseForExplain(request, context));
    if (count <= Integer.MAX_VALUE) {
      reply.appendInt32("n", (int) count);
    } else {
      reply.appendInt64("n", count);
    }
  }

  @Override
  public CountRequest parseForExplain(CommandRequest request, CommandContext context) {
    Namespace namespace = NamespaceArgument.of(request);
    RawDocument query = RawDocument.EMPTY;
    long skip = 0;
    long limit = 0;
    RawValue hint = null;
    CollationChoice collation = CollationChoice.INHERITED;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "query" -> query = reader.document();
        case "skip" -> skip = reader.nonNegative();
        // A negative limit means the same as a positive one, from the time of OP_QUERY.
        case "limit" -> limit = Math.abs(reader.wholeNumber());
        case "hint" -> hint = Hints.check(reader);
        case "collation" -> collation = reader.collation();
        case "fields" -> reader.value();
        default -> reader.unknown();
      }
    }
    return new CountRequest(namespace, query, skip, limit, hint, collation);
  }
}
