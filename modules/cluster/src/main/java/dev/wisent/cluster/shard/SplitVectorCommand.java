package dev.wisent.cluster.shard;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.shard.split.RangeKeys;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.diagnostic.DataSize;
import dev.wisent.operation.diagnostic.Diagnostics;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.sharding.SplitPoints;
import java.util.List;

/** {@code splitVector}: the keys at which a range is split into chunks of about one size. */
final class SplitVectorCommand implements Command {
  private static final long BYTES_PER_MEGABYTE = 1 << 20;
  private static final long CHUNK_MEGABYTES_MAX = 1024;

  /** As in MongoDB. */
  private static final long CHUNK_OBJECTS_MAX_DEFAULT = 250_000;

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
    private RawDocument min = RawDocument.EMPTY;
    private RawDocument max = RawDocument.EMPTY;
    private long chunkMegabytes;
    private long chunkBytesMax;
    private long chunkObjectsMax = CHUNK_OBJECTS_MAX_DEFAULT;
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
        case "keyPattern" -> {
          RawDocument pattern = reader.document();
          key = pattern.isEmpty() ? null : ShardKeyPattern.of(pattern);
        }
        case "min" -> min = reader.document();
        case "max" -> max = reader.document();
        case "maxChunkSizeBytes" -> chunkBytesMax = positive(reader);
        case "maxChunkSize" -> chunkMegabytes = megabytes(reader);
        case "maxChunkObjects" -> chunkObjectsMax = positive(reader);
        case "maxSplitPoints" ->
            pointsMax = (int) Math.min(reader.nonNegative(), Integer.MAX_VALUE);
        case "force" -> force = reader.bool();
        default -> reader.unknown();
      }
    }

    private static long positive(ArgumentReader reader) {
      long value = reader.wholeNumber();
      if (value <= 0) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS, reader.name() + " must be greater than 0");
      }
      return value;
    }

    private static long megabytes(ArgumentReader reader) {
      long value = reader.wholeNumber();
      if (value < 1 || value > CHUNK_MEGABYTES_MAX) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS, "maxChunkSize must lie within the range [1MB, 1024MB]");
      }
      return value;
    }

    private void check() {
      if (key == null) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS, "no key pattern found in splitVector");
      }
      if (min.isEmpty() != max.isEmpty()) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS, "either provide both min and max or leave both empty");
      }
      if (min.isEmpty()) {
        min = key.globalMin();
        max = key.globalMax();
      }
      if (chunkMegabytes > 0) {
        chunkBytesMax = chunkMegabytes * BYTES_PER_MEGABYTE;
      }
      if (!force && chunkBytesMax <= 0) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS, "need to specify the desired max chunk size");
      }
    }
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
    RangeKeys range =
        RangeKeys.of(
            documents,
            definitions,
            namespace,
            arguments.key,
            new ChunkRange(arguments.min, arguments.max));
    DataSize size = diagnostics.dataSize(namespace);
    if (size.documents() == 0 || (!arguments.force && size.bytes() < arguments.chunkBytesMax)) {
      return List.of();
    }
    long limit;
    int pointsMax = arguments.pointsMax;
    if (arguments.force) {
      limit = range.count(operation) / 2;
      pointsMax = 1;
    } else {
      limit = SplitPoints.countOf(arguments.chunkBytesMax, size.bytes() / size.documents());
    }
    long objectsMax = arguments.force ? Long.MAX_VALUE : arguments.chunkObjectsMax;
    var points = new SplitPoints(arguments.key, Math.min(limit, objectsMax), pointsMax);
    boolean any = range.forEach(operation, key -> points.add(key, 1));
    if (!any) {
      throw new CommandException(
          ErrorCode.OPERATION_FAILED,
          "can't open a cursor to scan the range (desired range is possibly empty)");
    }
    return points.points();
  }
}
