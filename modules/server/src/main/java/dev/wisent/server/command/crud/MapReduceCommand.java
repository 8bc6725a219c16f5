package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.Operations;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.ExplainableCommand;
import dev.wisent.server.command.NamespaceArgument;
import java.util.function.BiConsumer;

/** {@code mapReduce}, which is a pipeline under an old name. */
public final class MapReduceCommand implements ExplainableCommand {
  private final Operations operations;
  private final BiConsumer<Namespace, String> viewRefusal;

  /**
   * @param viewRefusal fails with a message where a name is that of a view
   */
  public MapReduceCommand(Operations operations, BiConsumer<Namespace, String> viewRefusal) {
    this.operations = operations;
    this.viewRefusal = viewRefusal;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Arguments arguments = Arguments.parse(request, context);
    AggregateRequest pipeline = aggregate(arguments, request, context);
    try (ResultCursor results = operations.aggregate(context.operation(), pipeline)) {
      if (arguments.output.collection() == null) {
        appendResults(results, reply);
      } else {
        results.peek();
        appendTarget(arguments.output, reply);
      }
    } catch (CommandException e) {
      throw e.during("PlanExecutor error during aggregation");
    }
  }

  @Override
  public AggregateRequest parseForExplain(CommandRequest request, CommandContext context) {
    return aggregate(Arguments.parse(request, context), request, context);
  }

  private AggregateRequest aggregate(
      Arguments arguments, CommandRequest request, CommandContext context) {
    Namespace namespace = NamespaceArgument.of(request);
    viewRefusal.accept(namespace, "mapReduce on a view is not yet supported");
    Collation ofCollection = operations.collation(context.operation(), namespace);
    Collation collation = arguments.collation.or(ofCollection);
    Pipeline pipeline =
        Pipeline.parse(
            arguments.toPipeline().stages(), QueryContexts.of(context.operation(), collation));
    return new AggregateRequest(namespace, pipeline, null, CollationChoice.exactly(collation));
  }

  private static void appendResults(ResultCursor results, BsonBuilder reply) {
    reply.startArray("results");
    int start = reply.position();
    int count = 0;
    for (RawDocument document; (document = results.peek()) != null; results.take()) {
      reply.appendDocument(count++, document);
      if (reply.position() - start > Limits.DOCUMENT_BYTES_MAX) {
        throw new CommandException(
            ErrorCode.BSON_OBJECT_TOO_LARGE, "too much data for in memory map/reduce");
      }
    }
    reply.end();
  }

  private static void appendTarget(MapReduceOutput output, BsonBuilder reply) {
    if (output.elsewhere()) {
      reply.startDocument("result");
      reply.appendString("db", output.database()).appendString("collection", output.collection());
      reply.end();
    } else {
      reply.appendString("result", output.collection());
    }
  }

  /** The arguments of one mapReduce, as they are read. */
  private static final class Arguments {
    private String map;
    private String reduce;
    private String finish;
    private RawDocument scope = RawDocument.EMPTY;
    private RawDocument query = RawDocument.EMPTY;
    private RawDocument sort = RawDocument.EMPTY;
    private long limit;
    private MapReduceOutput output;
    private CollationChoice collation = CollationChoice.INHERITED;

    static Arguments parse(CommandRequest request, CommandContext context) {
      var arguments = new Arguments();
      ArgumentReader reader = ArgumentReader.of(request);
      while (reader.next()) {
        arguments.read(reader, request, context);
      }
      require("map", arguments.map);
      require("reduce", arguments.reduce);
      require("out", arguments.output);
      return arguments;
    }

    private void read(ArgumentReader reader, CommandRequest request, CommandContext context) {
      switch (reader.name()) {
        case "map" -> map = code(reader);
        case "reduce" -> reduce = code(reader);
        case "finalize" -> finish = code(reader);
        case "scope" -> scope = reader.document();
        case "query" -> query = reader.document();
        case "sort" -> sort = reader.document();
        case "limit" -> limit = reader.nonNegative();
        case "out" -> output = MapReduceOutput.parse(reader.value(), request.database());
        case "collation" -> collation = reader.collation();
        case "bypassDocumentValidation" -> context.operation().bypassValidation(reader.bool());
        // They have had no effect since MongoDB 4.4.
        case "jsMode", "verbose" -> reader.bool();
        default -> reader.unknown();
      }
    }

    private static String code(ArgumentReader reader) {
      RawValue value = reader.value();
      if (!value.isString() && value.type() != ElementType.CODE) {
        throw new CommandException(
            ErrorCode.BAD_VALUE, "'" + reader.name() + "' must be of string or code type");
      }
      return value.asString();
    }

    private static void require(String name, Object given) {
      if (given == null) {
        throw ArgumentTypes.missing("mapReduce." + name);
      }
    }

    MapReducePipeline toPipeline() {
      return new MapReducePipeline(map, reduce, finish, scope, query, sort, limit, output);
    }
  }
}
