package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.ExplainRequest.Verbosity;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.Operations;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.SourceStages;
import dev.wisent.pipeline.changestream.ChangeStreamStage;
import dev.wisent.pipeline.write.WriteStage;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.context.QueryContext;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.ExplainableCommand;
import dev.wisent.server.command.NamespaceArgument;
import dev.wisent.server.command.cursor.CursorArgument;
import dev.wisent.server.command.cursor.CursorReply;
import dev.wisent.server.command.plan.Explanations;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.metrics.DocumentCounts;

/** {@code aggregate}, over a collection or (with the value 1) a database. */
public final class AggregateCommand implements ExplainableCommand {
  private final Operations operations;
  private final CursorRegistry cursors;
  private final DocumentCounts counts;
  private final Explanations explain;
  private final boolean streams;
  private final PrimaryForwarding forwarding;

  /**
   * @param set null where this node is not in one
   * @param streams whether there can be change streams: not on a standalone
   */
  public AggregateCommand(
      Operations operations,
      CursorRegistry cursors,
      DocumentCounts counts,
      Explanations explain,
      ReplicaSet set,
      boolean streams) {
    this.streams = streams;
    this.forwarding = new PrimaryForwarding(set);
    this.operations = operations;
    this.cursors = cursors;
    this.counts = counts;
    this.explain = explain;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Arguments arguments = parse(request, context);
    if (request.isInTransaction()) {
      arguments.checkTransaction();
    }
    AggregateRequest parsed = arguments.toRequest(request, context, operations);
    if (arguments.explain) {
      explain.write(parsed, Verbosity.QUERY_PLANNER, request, context, reply);
      return;
    }
    if (arguments.batchSize < 0) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "The 'cursor' option is required, except for aggregate with the explain argument");
    }
    if (WriteStage.of(parsed.pipeline()) != null && forwarding.isNeeded()) {
      forwarding.run(request, context.operation(), reply);
      return;
    }
    ResultCursor results = operations.aggregate(context.operation(), parsed);
    int returned =
        new CursorReply(cursors, request)
            .first(results, arguments.batchSize, false, false)
            .in(context.operation())
            .during("PlanExecutor error during aggregation")
            .write(parsed.namespace(), reply);
    counts.addReturned(returned);
  }

  @Override
  public AggregateRequest parseForExplain(CommandRequest request, CommandContext context) {
    Arguments arguments = parse(request, context);
    if (arguments.explain) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "The 'explain' option is illegal when a explain verbosity is also provided");
    }
    return arguments.toRequest(request, context, operations);
  }

  private Arguments parse(CommandRequest request, CommandContext context) {
    Arguments arguments = Arguments.parse(request, context);
    if (!streams && arguments.isChangeStream()) {
      throw new CommandException(
          ErrorCode.CHANGE_STREAM_ON_STANDALONE,
          "The $changeStream stage is only supported on replica sets");
    }
    return arguments;
  }

  /** The arguments of one aggregate, as they are read. */
  private static final class Arguments {
    private RawDocument stages;
    private RawValue hint;
    private CollationChoice collation = CollationChoice.INHERITED;
    private boolean explain;
    private final RouterArguments router = new RouterArguments();

    /** Negative without a cursor. */
    private long batchSize = -1;

    static Arguments parse(CommandRequest request, CommandContext context) {
      var arguments = new Arguments();
      ArgumentReader reader = ArgumentReader.of(request);
      while (reader.next()) {
        arguments.read(reader, context);
      }
      if (arguments.stages == null) {
        throw ArgumentTypes.missing("aggregate.pipeline");
      }
      return arguments;
    }

    private void read(ArgumentReader reader, CommandContext context) {
      switch (reader.name()) {
        case "pipeline" -> stages = pipeline(reader.value());
        case "cursor" -> batchSize = batchSize(reader.value());
        case "hint" -> hint = Hints.check(reader);
        case "allowDiskUse" -> context.operation().allowDiskUse(reader.bool());
        case "bypassDocumentValidation" -> context.operation().bypassValidation(reader.bool());
        case "collation" -> collation = reader.collation();
        case "let" -> LetArgument.read(reader, context);
        case "explain" -> explain = reader.strictBool();
        case "collectionUUID" -> reader.uuid();
        default -> router.read(reader, context);
      }
    }

    private void checkTransaction() {
      if (explain) {
        throw new CommandException(
            ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION,
            "Operation not permitted in transaction :: caused by :: Explain for the aggregate"
                + " command cannot run within a multi-document transaction");
      }
      TransactionStages.check(stages);
    }

    private boolean isChangeStream() {
      ElementCursor stage = stages.elements();
      return stage.next()
          && stage.type() == ElementType.DOCUMENT
          && stage.value().asDocument().get("$changeStream") != null;
    }

    AggregateRequest toRequest(
        CommandRequest request, CommandContext context, Operations operations) {
      Namespace namespace = namespace(request);
      // Events are not documents of the collection, and compare as they are.
      Collation ofCollection =
          isChangeStream() ? null : operations.collation(context.operation(), namespace);
      Collation used = collation.or(ofCollection);
      QueryContext parsing = QueryContexts.of(context.operation(), used);
      Pipeline pipeline = router.carrying(Pipeline.parse(stages, router.context(parsing)));
      boolean onCollection = request.argument().type() == ElementType.STRING;
      if (onCollection) {
        SourceStages.checkOnCollection(pipeline.source());
      }
      boolean stream = ChangeStreamStage.of(pipeline) != null;
      if (stream) {
        checkMajority(request);
      }
      if (pipeline.isSource() && !stream && onCollection) {
        throw new CommandException(
            ErrorCode.INVALID_NAMESPACE, "$documents can only be run with {aggregate: 1}");
      }
      if (pipeline.source() == null && !pipeline.isSource() && !onCollection) {
        throw new CommandException(
            ErrorCode.INVALID_NAMESPACE,
            "{aggregate: 1} is not valid for '"
                + (pipeline.stages().isEmpty() ? "an empty pipeline" : "this first stage")
                + "'; a collection is required.");
      }
      WriteStage writes = WriteStage.of(pipeline);
      if (writes != null) {
        checkReadConcern(request, writes);
      }
      return new AggregateRequest(namespace, pipeline, hint, CollationChoice.exactly(used));
    }
  }

  private static void checkReadConcern(CommandRequest request, WriteStage writes) {
    RawValue level = request.readConcern() == null ? null : request.readConcern().get("level");
    if (level != null && level.isString() && level.asString().equals("linearizable")) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          writes.name() + " cannot be used with a 'linearizable' read concern level");
    }
  }

  /** Events are those of changes that a majority has; a client may ask for nothing else. */
  private static void checkMajority(CommandRequest request) {
    RawValue level = request.readConcern() == null ? null : request.readConcern().get("level");
    if (level != null && level.isString() && !level.asString().equals("majority")) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Aggregation stage $changeStream cannot run with a readConcern other than 'majority'."
              + " Current readConcern: "
              + level.asString());
    }
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
