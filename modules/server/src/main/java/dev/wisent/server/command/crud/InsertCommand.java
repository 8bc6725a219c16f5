package dev.wisent.server.command.crud;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.Operations;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import dev.wisent.server.metrics.DocumentCounts;
import java.util.List;

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
    Namespace namespace = NamespaceArgument.writable(request);
    List<RawDocument> inBody = null;
    boolean ordered = true;
    boolean bypassValidation = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "documents" -> inBody = reader.documents();
        case "ordered" -> ordered = reader.bool();
        case "stmtIds" -> reader.array();
        case "bypassDocumentValidation" -> bypassValidation = reader.bool();
        case "bypassEmptyTsReplacement" -> reader.refuseIfSet();
        case "collectionUUID" -> reader.uuid();
        default -> reader.unknown();
      }
    }
    List<RawDocument> documents = Writes.statements(request, "documents", inBody);
    WriteOutcome outcome =
        operations.insert(
            context.operation(),
            new InsertRequest(namespace, documents, ordered, bypassValidation));
    counts.addInserted(outcome.matched());
    reply.appendInt32("n", (int) outcome.matched());
    Writes.appendRetried(reply, outcome.retried());
    Writes.appendFailures(reply, outcome);
  }
}
