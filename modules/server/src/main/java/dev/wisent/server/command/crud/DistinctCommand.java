package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ReadPoint;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.ExplainableCommand;
import dev.wisent.server.command.NamespaceArgument;
import java.util.List;

/** {@code distinct}. */
public final class DistinctCommand implements ExplainableCommand {
  private final Operations operations;

  public DistinctCommand(Operations operations) {
    this.operations = operations;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    List<RawValue> values =
        operations.distinct(context.operation(), parseForExplain(request, context));
    reply.startArray("values");
    for (int i = 0; i < values.size(); i++) {
      reply.append(i, values.get(i));
    }
    reply.end();
    ReadPoint state = context.operation().readPoint();
    if (state != null) {
      reply.appendTimestamp("atClusterTime", state.timestamp());
    }
  }

  @Override
  public DistinctRequest parseForExplain(CommandRequest request, CommandContext context) {
    Namespace namespace = NamespaceArgument.of(request);
    String key = null;
    RawDocument query = RawDocument.EMPTY;
    RawValue hint = null;
    CollationChoice collation = CollationChoice.INHERITED;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "key" -> key = reader.string();
        case "query" -> query = reader.document();
        case "hint" -> hint = Hints.check(reader);
        case "collation" -> collation = reader.collation();
        default -> reader.unknown();
      }
    }
    if (key == null) {
      throw ArgumentTypes.missing(request.nameInErrors() + ".key");
    }
    if (key.indexOf('\0') >= 0) {
      throw new CommandException(
          ErrorCode.DISTINCT_KEY_WITH_NUL, "Key field cannot contain an embedded null byte");
    }
    return new DistinctRequest(namespace, key, query, hint, collation);
  }
}
