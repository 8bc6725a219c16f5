package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.definition.IndexInfo;
import dev.wisent.operation.diagnostic.DataSize;
import dev.wisent.operation.diagnostic.Diagnostics;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code dataSize} of a collection, or of a range of keys of one of its indexes. */
public final class DataSizeCommand implements Command {
  private final Operations documents;
  private final Definitions definitions;
  private final Diagnostics diagnostics;

  public DataSizeCommand(Operations documents, Definitions definitions, Diagnostics diagnostics) {
    this.documents = documents;
    this.definitions = definitions;
    this.diagnostics = diagnostics;
  }

  private static final class Arguments {
    private RawDocument key = RawDocument.EMPTY;
    private RawDocument min = RawDocument.EMPTY;
    private RawDocument max = RawDocument.EMPTY;
    private boolean estimate;
    private long bytesMax;
    private long documentsMax;

    Arguments(CommandRequest request) {
      ArgumentReader reader = ArgumentReader.of(request);
      while (reader.next()) {
        switch (reader.name()) {
          case "estimate" -> estimate = reader.bool();
          case "keyPattern" -> key = reader.document();
          case "min" -> min = reader.document();
          case "max" -> max = reader.document();
          case "maxSize" -> bytesMax = reader.wholeNumber();
          case "maxObjects" -> documentsMax = reader.wholeNumber();
          default -> reader.unknown();
        }
      }
      if (min.isEmpty() != max.isEmpty()) {
        throw new CommandException(ErrorCode.BAD_VALUE, "Only one of min or max specified");
      }
    }

    boolean isWhole() {
      return min.isEmpty() && bytesMax <= 0 && documentsMax <= 0;
    }
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace =
        Namespace.parse(ArgumentTypes.string("dataSize.dataSize", request.argument()));
    var arguments = new Arguments(request);
    OperationContext operation = context.operation();
    long start = operation.clock().monotonicNanos();
    DataSize whole = diagnostics.dataSize(namespace);
    var size = new Sum(whole, arguments);
    if (arguments.isWhole() || whole.documents() == 0) {
      size.bytes = whole.bytes();
      size.count = whole.documents();
    } else {
      add(operation, namespace, arguments, size);
    }
    reply.appendBoolean("estimate", arguments.estimate);
    reply.appendInt64("size", size.bytes);
    reply.appendInt64("numObjects", size.count);
    if (size.isFull()) {
      reply.appendBoolean("maxReached", true);
    }
    long nanos = operation.clock().monotonicNanos() - start;
    reply.appendInt32("millis", (int) TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  /** What was found so far. */
  private static final class Sum {
    private final Arguments arguments;
    private final long averageBytes;
    private long bytes;
    private long count;

    Sum(DataSize whole, Arguments arguments) {
      this.arguments = arguments;
      this.averageBytes = whole.documents() == 0 ? 0 : whole.bytes() / whole.documents();
    }

    void add(RawDocument found) {
      bytes += arguments.estimate ? averageBytes : found.length();
      count++;
    }

    boolean isFull() {
      return (arguments.bytesMax > 0 && bytes > arguments.bytesMax)
          || (arguments.documentsMax > 0 && count > arguments.documentsMax);
    }
  }

  private void add(OperationContext operation, Namespace namespace, Arguments arguments, Sum size) {
    FindRequest.Builder request = new FindRequest.Builder();
    if (!arguments.min.isEmpty()) {
      KeyRange range = range(namespace, arguments);
      if (range.isEmpty()) {
        return;
      }
      request = arguments.estimate ? range.keys() : range.documents();
    }
    try (ResultCursor cursor = documents.find(operation, request.build(namespace))) {
      for (RawDocument found; !size.isFull() && (found = cursor.peek()) != null; cursor.take()) {
        operation.checkInterrupt();
        size.add(found);
      }
    }
  }

  private KeyRange range(Namespace namespace, Arguments arguments) {
    ShardKeyPattern key =
        ShardKeyPattern.of(arguments.key.isEmpty() ? ascending(arguments.min) : arguments.key);
    List<IndexInfo> indexes = definitions.indexes(namespace);
    KeyRange range = KeyRange.of(key, indexes, true, arguments.min, arguments.max);
    if (range == null) {
      throw new CommandException(
          ErrorCode.OPERATION_FAILED, "Couldn't find valid index containing key pattern");
    }
    return range;
  }

  private static RawDocument ascending(RawDocument fields) {
    var out = new BsonBuilder(fields.length());
    for (ElementCursor each = fields.elements(); each.next(); ) {
      out.appendInt32(each.name(), 1);
    }
    return out.toDocument();
  }
}
