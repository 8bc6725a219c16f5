package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.Explainable;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.ListCursor;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.SystemNamespaces;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CollectionUuids;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.ExplainableCommand;
import dev.wisent.server.command.TransactionArguments;
import dev.wisent.server.command.cursor.CursorArgument;
import dev.wisent.server.command.cursor.CursorReply;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.metrics.DocumentCounts;
import dev.wisent.server.metrics.ServerMetrics;
import dev.wisent.server.metrics.ServerMetrics.OpCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** {@code bulkWrite}: inserts, updates and deletes in any collections, in one command. */
public final class BulkWriteCommand implements ExplainableCommand {
  private final Operations operations;
  private final CursorRegistry cursors;
  private final ServerMetrics metrics;
  private final CollectionUuids uuids;

  public BulkWriteCommand(
      Operations operations, CursorRegistry cursors, ServerMetrics metrics, CollectionUuids uuids) {
    this.uuids = uuids;
    this.operations = operations;
    this.cursors = cursors;
    this.metrics = metrics;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Arguments arguments = Arguments.parse(request, context);
    var run = new Run(request, arguments);
    run.all(arguments.operations, arguments.namespaces, context.operation());
    run.count();
    run.write(arguments.batchSize, reply);
  }

  /** As in MongoDB, one update or delete can be explained. */
  @Override
  public Explainable parseForExplain(CommandRequest request, CommandContext context) {
    Arguments arguments = Arguments.parse(request, context);
    if (arguments.operations.size() != 1) {
      throw new CommandException(
          ErrorCode.INVALID_LENGTH, "explained bulkWrite ops must be of size 1");
    }
    BulkOperation only = arguments.operations.getFirst();
    Namespace namespace = arguments.namespaces.get(only.namespaceIndex()).namespace();
    return switch (only) {
      case BulkOperation.Insert ignored ->
          throw new CommandException(
              ErrorCode.ILLEGAL_OPERATION, "Cannot explain insert cmd for bulkWrite");
      case BulkOperation.Update update ->
          new UpdateRequest(
              namespace, List.of(update.statement()), true, arguments.bypassValidation);
      case BulkOperation.Delete delete ->
          new DeleteRequest(namespace, List.of(delete.statement()), true);
    };
  }

  /** The arguments of one bulkWrite, as they are read. */
  private static final class Arguments {
    private List<RawDocument> opsInBody;
    private List<RawDocument> namespacesInBody;
    private boolean ordered = true;
    private boolean errorsOnly;
    private boolean bypassValidation;
    private long batchSize = Long.MAX_VALUE;
    private List<BulkOperation> operations;
    private List<Target> namespaces;

    static Arguments parse(CommandRequest request, CommandContext context) {
      var arguments = new Arguments();
      ArgumentReader reader = ArgumentReader.of(request);
      while (reader.next()) {
        arguments.read(reader, context);
      }
      List<RawDocument> ops = Writes.statements(request, "ops", arguments.opsInBody);
      arguments.namespaces = namespaces(request, arguments.namespacesInBody);
      arguments.operations = ops.stream().map(BulkOperation::parse).toList();
      for (int i = 0; i < arguments.operations.size(); i++) {
        checkNamespace(i, arguments.operations.get(i).namespaceIndex(), arguments.namespaces);
      }
      return arguments;
    }

    private void read(ArgumentReader reader, CommandContext context) {
      switch (reader.name()) {
        case "ops" -> opsInBody = reader.documents();
        case "nsInfo" -> namespacesInBody = reader.documents();
        case "ordered" -> ordered = reader.bool();
        case "stmtIds" -> reader.array();
        case "errorsOnly" -> errorsOnly = reader.bool();
        case "bypassDocumentValidation" -> bypassValidation = reader.bool();
        case "bypassEmptyTsReplacement" ->
            context.operation().writes().keepEmptyTimestamps(reader.bool());
        case "cursor" -> batchSize = CursorArgument.batchSize(reader);
        case "let" -> LetArgument.read(reader, context);
        default -> reader.unknown();
      }
    }
  }

  /**
   * A collection that is written to.
   *
   * @param uuid what the client expects under the name; null if it does not say
   */
  private record Target(Namespace namespace, UUID uuid) {}

  private static List<Target> namespaces(CommandRequest request, List<RawDocument> inBody) {
    List<RawDocument> sequence = request.sequence("nsInfo");
    List<RawDocument> given = sequence != null ? sequence : inBody;
    if (given == null) {
      throw ArgumentTypes.missing("bulkWrite.nsInfo");
    }
    var namespaces = new ArrayList<Target>();
    for (RawDocument info : given) {
      String name = null;
      UUID uuid = null;
      ArgumentReader reader = ArgumentReader.of("bulkWrite.nsInfo", info);
      while (reader.next()) {
        switch (reader.name()) {
          case "ns" -> name = reader.string();
          case "collectionUUID" -> uuid = reader.uuid();
          case "shardVersion", "databaseVersion" -> reader.document();
          case "encryptionInformation" ->
              throw new CommandException(
                  ErrorCode.NOT_IMPLEMENTED,
                  "bulkWrite: nsInfo." + reader.name() + " is not supported yet");
          default -> reader.unknown();
        }
      }
      if (name == null) {
        throw ArgumentTypes.missing("bulkWrite.nsInfo.ns");
      }
      Namespace parsed = Namespace.parse(name);
      Namespace namespace = Namespace.checked(parsed.database(), parsed.collection());
      if (request.isInTransaction()) {
        TransactionArguments.checkNamespace(namespace);
      }
      SystemNamespaces.checkWrite(namespace);
      namespaces.add(new Target(namespace, uuid));
    }
    return namespaces;
  }

  private static void checkNamespace(int entry, int index, List<Target> namespaces) {
    if (index < 0 || index >= namespaces.size()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "BulkWrite ops entry " + entry + " has an invalid nsInfo index.");
    }
  }

  /** The progress of one bulkWrite. */
  private final class Run {
    private final CommandRequest request;
    private final boolean ordered;
    private final boolean errorsOnly;
    private final boolean bypassValidation;
    private final List<RawDocument> replies = new ArrayList<>();
    private final List<Integer> retried = new ArrayList<>(0);
    private int errors;
    private long inserted;
    private long matched;
    private long modified;
    private long upserted;
    private long deleted;

    Run(CommandRequest request, Arguments arguments) {
      this.request = request;
      this.ordered = arguments.ordered || request.isInTransaction();
      this.errorsOnly = arguments.errorsOnly;
      this.bypassValidation = arguments.bypassValidation;
    }

    void all(List<BulkOperation> parsed, List<Target> namespaces, OperationContext context) {
      int i = 0;
      while (i < parsed.size() && (errors == 0 || !ordered)) {
        BulkOperation operation = parsed.get(i);
        Target target = namespaces.get(operation.namespaceIndex());
        Namespace namespace = target.namespace();
        CommandException mismatch =
            target.uuid() == null
                ? null
                : uuids.mismatch(namespace, target.uuid(), request.principal());
        if (mismatch != null) {
          context.writes().fail(mismatch.code());
          errors++;
          replies.add(BulkReply.failed(i, mismatch));
          i++;
          continue;
        }
        if (context.retryableWrite() != null) {
          context.retryableWrite().startBatch(i);
        }
        switch (operation) {
          case BulkOperation.Insert insert -> {
            int end = endOfGroup(parsed, i);
            metrics.count(OpCounter.INSERT, end - i);
            inserts(parsed.subList(i, end), i, namespace, context);
            i = end;
          }
          case BulkOperation.Update update -> {
            int end = endOfGroup(parsed, i);
            metrics.count(OpCounter.UPDATE, end - i);
            updates(parsed.subList(i, end), i, namespace, context);
            i = end;
          }
          case BulkOperation.Delete delete -> {
            int end = endOfGroup(parsed, i);
            metrics.count(OpCounter.DELETE, end - i);
            deletes(parsed.subList(i, end), i, namespace, context);
            i = end;
          }
        }
      }
    }

    /** Operations of one kind that follow each other in one collection are made together. */
    private int endOfGroup(List<BulkOperation> parsed, int start) {
      BulkOperation first = parsed.get(start);
      int end = start + 1;
      while (end < parsed.size()
          && isGrouped(first)
          && isGrouped(parsed.get(end))
          && parsed.get(end).getClass() == first.getClass()
          && parsed.get(end).namespaceIndex() == first.namespaceIndex()) {
        end++;
      }
      return end;
    }

    /**
     * An update or delete that fails counts nothing, and has a result of its own if one is asked.
     */
    private boolean isGrouped(BulkOperation operation) {
      return switch (operation) {
        case BulkOperation.Insert insert -> true;
        case BulkOperation.Update update -> errorsOnly && !update.statement().multi();
        case BulkOperation.Delete delete -> errorsOnly && !delete.statement().multi();
      };
    }

    private void inserts(
        List<BulkOperation> group, int start, Namespace namespace, OperationContext context) {
      List<RawDocument> documents =
          group.stream().map(each -> ((BulkOperation.Insert) each).document()).toList();
      WriteOutcome outcome =
          Writes.checked(
              operations.insert(
                  context, new InsertRequest(namespace, documents, ordered, bypassValidation)),
              request,
              context);
      inserted += outcome.matched();
      retried.addAll(outcome.retried());
      var failures = outcome.failures().iterator();
      WriteOutcome.Failure failure = failures.hasNext() ? failures.next() : null;
      for (int i = 0; i < group.size(); i++) {
        if (failure != null && failure.index() == i) {
          replies.add(BulkReply.failed(start + i, failure.error()));
          errors++;
          failure = failures.hasNext() ? failures.next() : null;
          if (ordered) {
            return;
          }
        } else if (!errorsOnly) {
          replies.add(BulkReply.done(start + i, 1));
        }
      }
    }

    private void updates(
        List<BulkOperation> group, int start, Namespace namespace, OperationContext context) {
      List<UpdateStatement> statements =
          group.stream().map(each -> ((BulkOperation.Update) each).statement()).toList();
      boolean inOrder = ordered || statements.size() == 1;
      WriteOutcome outcome =
          Writes.checked(
              operations.update(
                  context, new UpdateRequest(namespace, statements, inOrder, bypassValidation)),
              request,
              context);
      if (allFailed(outcome, start, group.size())) {
        return;
      }
      retried.addAll(outcome.retried());
      matched += outcome.matched();
      modified += outcome.modified();
      upserted += outcome.upserted().size();
      if (!errorsOnly) {
        replies.add(BulkReply.updated(start, outcome));
      }
    }

    private void deletes(
        List<BulkOperation> group, int start, Namespace namespace, OperationContext context) {
      List<DeleteStatement> statements =
          group.stream().map(each -> ((BulkOperation.Delete) each).statement()).toList();
      boolean inOrder = ordered || statements.size() == 1;
      WriteOutcome outcome =
          Writes.checked(
              operations.delete(context, new DeleteRequest(namespace, statements, inOrder)),
              request,
              context);
      if (allFailed(outcome, start, group.size())) {
        return;
      }
      retried.addAll(outcome.retried());
      deleted += outcome.matched();
      if (!errorsOnly) {
        replies.add(BulkReply.done(start, outcome.matched()));
      }
    }

    /** Notes what has failed; whether nothing else is to be told of the group. */
    private boolean allFailed(WriteOutcome outcome, int start, int size) {
      for (WriteOutcome.Failure failure : outcome.failures()) {
        errors++;
        replies.add(BulkReply.failed(start + failure.index(), failure.error()));
      }
      return outcome.failures().size() == size;
    }

    void count() {
      DocumentCounts documents = metrics.documents();
      documents.addInserted(inserted + upserted);
      documents.addUpdated(modified);
      documents.addDeleted(deleted);
    }

    void write(long batchSize, BsonBuilder reply) {
      long size = Math.min(batchSize, Limits.WRITE_BATCH_MAX);
      new CursorReply(cursors, request)
          .first(new ListCursor(replies), size, false, false)
          .write(new Namespace("admin", "$cmd.bulkWrite"), reply);
      reply.appendInt32("nErrors", errors);
      reply.appendInt32("nInserted", (int) inserted);
      reply.appendInt32("nMatched", (int) matched);
      reply.appendInt32("nModified", (int) modified);
      reply.appendInt32("nUpserted", (int) upserted);
      reply.appendInt32("nDeleted", (int) deleted);
      Writes.appendRetried(reply, retried);
    }
  }
}
