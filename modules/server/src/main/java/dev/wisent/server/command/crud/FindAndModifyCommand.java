package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.Operations;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.ExplainableCommand;
import dev.wisent.server.command.NamespaceArgument;
import dev.wisent.server.metrics.DocumentCounts;
import java.util.List;

/** {@code findAndModify}. */
public final class FindAndModifyCommand implements ExplainableCommand {
  private final Operations operations;
  private final DocumentCounts counts;

  public FindAndModifyCommand(Operations operations, DocumentCounts counts) {
    this.operations = operations;
    this.counts = counts;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    FindAndModifyRequest parsed = parse(NamespaceArgument.writable(request), request, context);
    FindAndModifyOutcome outcome = operations.findAndModify(context.operation(), parsed);
    count(parsed, outcome);
    reply.startDocument("lastErrorObject");
    reply.appendInt32("n", outcome.matched());
    if (!parsed.isRemoval()) {
      reply.appendBoolean("updatedExisting", outcome.updatedExisting());
      if (outcome.upsertedId() != null) {
        reply.append("upserted", outcome.upsertedId());
      }
    }
    reply.end();
    if (outcome.value() == null) {
      reply.appendNull("value");
    } else {
      reply.appendDocument("value", outcome.value());
    }
    if (outcome.retried() != null) {
      reply.appendInt32("retriedStmtId", outcome.retried());
    }
  }

  @Override
  public FindAndModifyRequest parseForExplain(CommandRequest request, CommandContext context) {
    return parse(NamespaceArgument.of(request), request, context);
  }

  private void count(FindAndModifyRequest request, FindAndModifyOutcome outcome) {
    if (outcome.value() != null) {
      counts.addReturned(1);
    }
    if (request.isRemoval()) {
      counts.addDeleted(outcome.matched());
    } else if (outcome.upsertedId() != null) {
      counts.addInserted(1);
    } else {
      counts.addUpdated(outcome.matched());
    }
  }

  private static FindAndModifyRequest parse(
      Namespace namespace, CommandRequest request, CommandContext context) {
    RawDocument query = RawDocument.EMPTY;
    RawDocument sort = RawDocument.EMPTY;
    RawDocument fields = RawDocument.EMPTY;
    RawValue update = null;
    RawValue hint = null;
    CollationChoice collation = CollationChoice.INHERITED;
    boolean remove = false;
    boolean returnNew = false;
    boolean upsert = false;
    boolean bypassValidation = false;
    List<RawDocument> arrayFilters = List.of();
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "query" -> query = reader.document();
        case "sort" -> sort = NaturalOrder.checkSort(reader.document());
        case "fields" -> fields = reader.document();
        case "update" -> update = UpdateStatements.updateValue(reader);
        case "remove" -> remove = reader.bool();
        case "new" -> returnNew = reader.bool();
        case "upsert" -> upsert = reader.bool();
        case "hint" -> hint = Hints.check(reader);
        case "arrayFilters" -> arrayFilters = reader.documents();
        case "bypassDocumentValidation" -> bypassValidation = reader.bool();
        case "bypassEmptyTsReplacement" ->
            context.operation().writes().keepEmptyTimestamps(reader.bool());
        case "collation" -> collation = reader.collation();
        case "let" -> LetArgument.read(reader, context);
        default -> reader.unknown();
      }
    }
    check(update, remove, returnNew, upsert);
    return new FindAndModifyRequest(
        namespace,
        query,
        sort,
        remove ? null : update,
        returnNew,
        upsert,
        fields,
        arrayFilters,
        bypassValidation,
        hint,
        collation);
  }

  private static void check(RawValue update, boolean remove, boolean returnNew, boolean upsert) {
    String problem = null;
    if (remove && update != null) {
      problem = "Cannot specify both an update and remove=true";
    } else if (remove && upsert) {
      problem = "Cannot specify both upsert=true and remove=true ";
    } else if (remove && returnNew) {
      problem =
          "Cannot specify both new=true and remove=true; 'remove' always returns the deleted"
              + " document";
    } else if (!remove && update == null) {
      problem = "Either an update or remove=true must be specified";
    }
    if (problem != null) {
      throw new CommandException(ErrorCode.FAILED_TO_PARSE, problem);
    }
  }
}
