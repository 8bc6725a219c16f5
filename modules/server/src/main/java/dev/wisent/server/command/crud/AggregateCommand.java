package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.Namespace;
import dev.wisent.database.collection.QueryContexts;
import dev.wisent.database.cursor.ListCursor;
import dev.wisent.database.cursor.PipelineCursor;
import dev.wisent.database.operation.AggregateRequest;
import dev.wisent.database.operation.Operations;
import dev.wisent.database.operation.ResultCursor;
import dev.wisent.query.aggregate.Pipeline;
import dev.wisent.query.sort.SortSpace;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import dev.wisent.server.command.collection.CursorArgument;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.metrics.DocumentCounts;

/** {@code aggregate}, over a collection or (with the value 1) a database. */
public final class AggregateCommand implements Command {
  private final Operations operations;
  private final CursorRegistry cursors;
  private final PipelineSources sources;
  private final DocumentCounts counts;

  public AggregateCommand(
      Operations operations,
      CursorRegistry cursors,
      PipelineSources sources,
      DocumentCounts counts) {
    this.operations = operations;
    this.cursors = cursors;
    this.sources = sources;
    this.counts = counts;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawDocument stages = null;
    RawValue hint = null;
    long batchSize = Limits.FIRST_BATCH_DEFAULT;
    boolean hasCursor = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "pipeline" -> stages = pipeline(reader.value());
        case "cursor" -> {
          batchSize = batchSize(reader.value());
          hasCursor = true;
        }
        case "hint" -> hint = Hints.check(reader);
        case "allowDiskUse" -> context.operation().allowDiskUse(reader.bool());
        // Nothing is written.
        case "bypassDocumentValidation" -> reader.bool();
        case "collation" -> UnsupportedArguments.collation(reader);
        case "let" -> UnsupportedArguments.let(reader);
        case "explain" ->
            throw new CommandException(
                ErrorCode.NOT_IMPLEMENTED, "aggregate: explain is not supported yet");
        default -> reader.unknown();
      }
    }
    if (stages == null) {
      throw ArgumentTypes.missing("aggregate.pipeline");
    }
    if (!hasCursor) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "The 'cursor' option is required, except for aggregate with the explain argument");
    }
    Pipeline pipeline = Pipeline.parse(stages, QueryContexts.of(context.operation()));
    Namespace namespace = namespace(request);
    ResultCursor results = open(pipeline, namespace, hint, request, context);
    int returned =
        new CursorReply(cursors, request)
            .first(results, batchSize, false, false)
            .write(namespace, reply);
    counts.addReturned(returned);
  }

  private static RawDocument pipeline(RawValue value) {
    if (!value.isArray()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, "'pipeline' option must be specified as an array");
    }
    return value.asDocument();
  }

  private static long batchSize(RawValue cursor) {
    if (!cursor.isDocument()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, "cursor field must be missing or an object");
    }
    return CursorArgument.batchSize("cursor", cursor.asDocument());
  }

  private ResultCursor open(
      Pipeline pipeline,
      Namespace namespace,
      RawValue hint,
      CommandRequest request,
      CommandContext context) {
    if (pipeline.source() != null) {
      var documents = sources.documents(pipeline, namespace, context);
      return new PipelineCursor(new ListCursor(documents), pipeline, 0, SortSpace.inMemory());
    }
    if (request.argument().type() != ElementType.STRING) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "{aggregate: 1} is not valid for '"
              + (pipeline.stages().isEmpty() ? "an empty pipeline" : "this first stage")
              + "'; a collection is required.");
    }
    return operations.aggregate(
        context.operation(), new AggregateRequest(namespace, pipeline, hint));
  }

  private static Namespace namespace(CommandRequest request) {
    RawValue argument = request.argument();
    if (argument.isString()) {
      return NamespaceArgument.of(request);
    }
    if (!argument.isNumber() || argument.toLong() != 1) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "Invalid command format: the 'aggregate' field must specify a collection name or 1");
    }
    return new Namespace(request.database(), "$cmd.aggregate");
  }
}
