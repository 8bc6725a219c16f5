package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.FindRequest.Tailing;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.ExplainableCommand;
import dev.wisent.server.command.NamespaceArgument;
import dev.wisent.server.command.cursor.CursorReply;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.metrics.DocumentCounts;

/** {@code find}. */
public final class FindCommand implements ExplainableCommand {
  private final Operations operations;
  private final CursorRegistry cursors;
  private final DocumentCounts counts;

  public FindCommand(Operations operations, CursorRegistry cursors, DocumentCounts counts) {
    this.operations = operations;
    this.cursors = cursors;
    this.counts = counts;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Arguments arguments = Arguments.parse(request, context);
    Namespace namespace = NamespaceArgument.of(request);
    if (arguments.tailable && request.isInTransaction()) {
      throw new CommandException(
          ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION,
          "Tailable cursors are not supported in a transaction");
    }
    if (arguments.allowDiskUse != null) {
      context.operation().allowDiskUse(arguments.allowDiskUse);
    }
    ResultCursor results = operations.find(context.operation(), arguments.toRequest(namespace));
    int returned =
        new CursorReply(cursors, request)
            .first(results, arguments.firstBatchMax(), arguments.singleBatch, arguments.noTimeout)
            .in(context.operation())
            .during("Executor error during find command: " + namespace)
            .write(namespace, reply);
    counts.addReturned(returned);
  }

  @Override
  public FindRequest parseForExplain(CommandRequest request, CommandContext context) {
    return Arguments.parse(request, context).toRequest(NamespaceArgument.of(request));
  }

  /** The arguments of one find, as they are read. */
  static final class Arguments {
    private final FindRequest.Builder find = new FindRequest.Builder();
    private long limit;
    private long batchSize = -1;
    private boolean singleBatch;
    private boolean tailable;
    private boolean awaitData;
    private boolean noTimeout;
    private boolean partialResults;
    private boolean readOnce;
    private Boolean allowDiskUse;

    static Arguments parse(CommandRequest request, CommandContext context) {
      var arguments = new Arguments();
      ArgumentReader reader = ArgumentReader.of(request);
      while (reader.next()) {
        arguments.read(reader, context);
      }
      arguments.check();
      return arguments;
    }

    private void read(ArgumentReader reader, CommandContext context) {
      switch (reader.name()) {
        case "filter" -> find.filter(document(reader));
        case "projection" -> find.projection(document(reader));
        case "sort" -> find.sort(NaturalOrder.checkSort(document(reader)));
        case "hint" -> find.hint(Hints.check(reader));
        case "min" -> find.min(emptyAsNull(document(reader)));
        case "max" -> find.max(emptyAsNull(document(reader)));
        case "skip" -> find.skip(reader.nonNegative());
        case "limit" -> limit = reader.nonNegative();
        case "batchSize" -> batchSize = reader.nonNegative();
        case "singleBatch" -> singleBatch = flag(reader);
        case "returnKey" -> find.returnKey(flag(reader));
        case "showRecordId" -> find.showRecordId(flag(reader));
        case "tailable" -> tailable = flag(reader);
        case "awaitData" -> awaitData = flag(reader);
        case "noCursorTimeout" -> noTimeout = flag(reader);
        case "allowDiskUse" -> allowDiskUse = flag(reader);
        case "allowPartialResults" -> partialResults = flag(reader);
        // That caches need not keep what is read; ours find that out by themselves.
        case "readOnce" -> readOnce = flag(reader);
        case "oplogReplay", "mirrored" -> flag(reader);
        case "collation" -> find.collation(CollationChoice.of(document(reader)));
        case "let" -> LetArgument.read(reader, context);
        case "runtimeConstants" -> RuntimeConstants.read(reader, context);
        // Between the members of a replica set; there are none.
        case "term" -> reader.wholeNumber();
        case "collectionUUID" -> reader.uuid();
        default -> reader.unknown();
      }
    }

    /** The messages of these two are MongoDB's own for find, the missing space included. */
    private static RawDocument document(ArgumentReader reader) {
      if (!reader.value().isDocument()) {
        throw new CommandException(
            ErrorCode.TYPE_MISMATCH, "Expected field " + reader.name() + "to be of type object");
      }
      return reader.document();
    }

    private static boolean flag(ArgumentReader reader) {
      if (reader.value().type() != ElementType.BOOLEAN) {
        throw new CommandException(
            ErrorCode.TYPE_MISMATCH,
            "Field '"
                + reader.name()
                + "' should be a boolean value, but found: "
                + ElementType.alias(reader.value().type()));
      }
      return reader.bool();
    }

    private void check() {
      if (awaitData && !tailable) {
        throw new CommandException(
            ErrorCode.FAILED_TO_PARSE, "Cannot set 'awaitData' without also setting 'tailable'");
      }
      if (tailable && singleBatch) {
        throw new CommandException(
            ErrorCode.FAILED_TO_PARSE, "Cannot use 'tailable' with 'singleBatch'");
      }
    }

    FindRequest toRequest(Namespace namespace) {
      Tailing tailing = awaitData ? Tailing.AWAIT_DATA : tailable ? Tailing.TAILABLE : Tailing.NONE;
      return find.limit(limit)
          .tailing(tailing)
          .cursorOption(cursorOption())
          .batchSize(batchSize)
          .partialResults(partialResults)
          .build(namespace);
    }

    /** One that a view refuses; of one document it does not matter how many batches it fills. */
    private String cursorOption() {
      if (noTimeout) {
        return "noCursorTimeout";
      }
      if (partialResults) {
        return "allowPartialResults";
      }
      if (singleBatch && limit != 1) {
        return "singleBatch";
      }
      return readOnce ? "readOnce" : null;
    }

    long firstBatchMax() {
      return batchSize < 0 ? Limits.FIRST_BATCH_DEFAULT : batchSize;
    }

    private static RawDocument emptyAsNull(RawDocument document) {
      return document.isEmpty() ? null : document;
    }
  }
}
