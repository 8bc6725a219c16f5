package dev.wisent.cluster.shard;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
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
import dev.wisent.sharding.SplitPoints;
import java.util.Arrays;
import java.util.List;

/** {@code splitVector}: the keys at which a range is split into chunks of about one size. */
final class SplitVectorCommand implements Command {
  private static final long BYTES_PER_MEGABYTE = 1 << 20;

  private final Operations documents;
  private final Definitions definitions;
  private final Diagnostics diagnostics;

  SplitVectorCommand(Operations documents, Definitions definitions, Diagnostics diagnostics) {
    this.documents = documents;
    this.definitions = definitions;
    this.diagnostics = diagnostics;
  }

  /** The arguments, as they are read. */
  private static final class Arguments {
    private ShardKeyPattern key;
    private RawDocument min;
    private RawDocument max;
    private long chunkBytesMax;
    private long chunkObjectsMax = Long.MAX_VALUE;
    private int pointsMax;
    private boolean force;

    static Arguments parse(CommandRequest request) {
      var arguments = new Arguments();
      ArgumentReader reader = ArgumentReader.of(request);
      while (reader.next()) {
        arguments.read(reader);
      }
      arguments.check();
      return arguments;
    }

    private void read(ArgumentReader reader) {
      switch (reader.name()) {
        case "keyPattern" -> key = ShardKeyPattern.of(reader.document());
        case "min" -> min = reader.document();
        case "max" -> max = reader.document();
        case "maxChunkSizeBytes" -> chunkBytesMax = reader.wholeNumber();
        case "maxChunkSize" -> chunkBytesMax = reader.wholeNumber() * BYTES_PER_MEGABYTE;
        case "maxChunkObjects" -> chunkObjectsMax = reader.wholeNumber();
        case "maxSplitPoints" ->
            pointsMax = (int) Math.min(reader.nonNegative(), Integer.MAX_VALUE);
        case "force" -> force = reader.bool();
        default -> reader.unknown();
      }
    }

    private void check() {
      if (key == null) {
        throw ArgumentTypes.missing("splitVector.keyPattern");
      }
      if ((min == null) != (max == null) || (min != null && min.isEmpty() != max.isEmpty())) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS, "either provide both min and max or leave both empty");
      }
      if (min == null || min.isEmpty()) {
        min = key.globalMin();
        max = key.globalMax();
      }
      if (!force && chunkBytesMax <= 0) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS,
            "need to specify the desired max chunk size (maxChunkSize or maxChunkSizeBytes)");
      }
    }
  }

  /** Takes the keys of a range. */
  @FunctionalInterface
  private interface KeyConsumer {
    /** False when no more keys are needed. */
    boolean accept(RawDocument key);
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = ShardArguments.namespace(request);
    Arguments arguments = Arguments.parse(request);
    List<RawDocument> points = points(namespace, arguments, context.operation());
    reply.startArray("splitKeys");
    for (int i = 0; i < points.size(); i++) {
      reply.appendDocument(i, points.get(i));
    }
    reply.end();
  }

  private List<RawDocument> points(
      Namespace namespace, Arguments arguments, OperationContext operation) {
    RawValue index = index(namespace, arguments.key);
    DataSize size = diagnostics.dataSize(namespace);
    if (size.documents() == 0 || (!arguments.force && size.bytes() < arguments.chunkBytesMax)) {
      return List.of();
    }
    long limit;
    int pointsMax = arguments.pointsMax;
    if (arguments.force) {
      long[] count = {0};
      scan(namespace, arguments, index, operation, key -> ++count[0] > 0);
      limit = count[0] / 2;
      pointsMax = 1;
    } else {
      limit = SplitPoints.countOf(arguments.chunkBytesMax, size.bytes() / size.documents());
    }
    var points =
        new SplitPoints(arguments.key, Math.min(limit, arguments.chunkObjectsMax), pointsMax);
    scan(namespace, arguments, index, operation, key -> points.add(key, 1));
    return points.points();
  }

  /** The name of an index that has all documents in the order of the shard key. */
  private RawValue index(Namespace namespace, ShardKeyPattern key) {
    List<IndexInfo> indexes = definitions.indexes(namespace);
    if (indexes == null) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND, "ns not found: " + namespace.full());
    }
    for (IndexInfo index : indexes) {
      if (index.build() == null && !index.multikey() && key.isSupportedBy(index.spec())) {
        return index.spec().get("name");
      }
    }
    throw new CommandException(
        ErrorCode.INDEX_NOT_FOUND,
        "couldn't find index over splitting key " + ValueText.of(key.pattern()));
  }

  private void scan(
      Namespace namespace,
      Arguments arguments,
      RawValue index,
      OperationContext operation,
      KeyConsumer keys) {
    byte[] min = arguments.key.encode(arguments.min);
    byte[] max = arguments.key.encode(arguments.max);
    FindRequest all = new FindRequest.Builder().hint(index).build(namespace);
    try (ResultCursor cursor = documents.find(operation, all)) {
      for (RawDocument document; (document = cursor.peek()) != null; cursor.take()) {
        operation.checkInterrupt();
        RawDocument key = arguments.key.keyOf(document);
        byte[] encoded = arguments.key.encode(key);
        if (Arrays.compareUnsigned(encoded, max) >= 0) {
          return;
        }
        if (Arrays.compareUnsigned(encoded, min) >= 0 && !keys.accept(key)) {
          return;
        }
      }
    }
  }
}
