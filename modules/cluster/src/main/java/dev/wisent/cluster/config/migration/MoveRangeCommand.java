package dev.wisent.cluster.config.migration;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueOrder;
import dev.wisent.bson.ValueText;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.metadata.KeptOutcomes;
import dev.wisent.cluster.coordinator.Coordinators;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.List;

/** {@code _configsvrMoveRange}: finds out what is to be moved from where, and has it moved. */
public final class MoveRangeCommand implements Command {
  private static final RawDocument LAST_FIRST = RawDocument.parse("{min: -1}");
  private static final long CHUNK_MEGABYTES_DEFAULT = 128;
  private static final int MEGABYTE = 1 << 20;

  private final ClusterMetadata metadata;
  private final Coordinators coordinators;

  public MoveRangeCommand(ClusterMetadata metadata, Coordinators coordinators) {
    this.metadata = metadata;
    this.coordinators = coordinators;
  }

  /** The arguments, as they are read. */
  private static final class Arguments {
    private final String namespace;
    private RawDocument min;
    private RawDocument max;
    private String to;
    private boolean forced;
    private boolean deletesNow;
    private long bytesMax;

    Arguments(CommandRequest request) {
      this.namespace = ArgumentTypes.string(request.pathOfArgument(), request.argument());
      ArgumentReader reader = ArgumentReader.of(request);
      while (reader.next()) {
        switch (reader.name()) {
          case "min" -> min = reader.document();
          case "max" -> max = reader.document();
          case "toShard" -> to = reader.string();
          case "maxChunkSizeBytes" -> bytesMax = reader.nonNegative();
          case "forceJumbo" -> forced = reader.bool();
          case "waitForDelete" -> deletesNow = reader.bool();
          default -> reader.unknown();
        }
      }
      if (to == null) {
        throw ArgumentTypes.missing(request.nameInErrors() + ".toShard");
      }
      if (min == null && max == null) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS, "At least one of 'min' or 'max' must be specified");
      }
    }
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    var given = new Arguments(request);
    MoveRange move = resolve(context.operation(), given);
    if (move == null) {
      return;
    }
    requireFree(context.operation(), move);
    coordinators.run(
        context.operation(),
        KeptOutcomes.keyOf(request),
        MoveRangeCoordinator.TYPE,
        move.resource(),
        move.toDocument());
  }

  /** Null where the range is on its shard already. */
  private MoveRange resolve(OperationContext operation, Arguments given) {
    RawDocument found = metadata.store().findById(operation, "collections", given.namespace);
    if (!CollectionDocument.isSharded(found)) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_SHARDED, "Collection " + given.namespace + " is not sharded");
    }
    CollectionDocument collection = CollectionDocument.of(found);
    ShardKeyPattern key = ShardKeyPattern.of(collection.key());
    RawDocument min = normalized(given.min, key);
    RawDocument max = normalized(given.max, key);
    ChunkDocument chunk = chunk(operation, collection, min == null ? max : min, min == null);
    long bytesMax = given.bytesMax > 0 ? given.bytesMax : bytesMax(operation, collection);
    ChunkRange range =
        new ChunkRange(
            min == null ? chunk.range().min() : min, max == null ? chunk.range().max() : max);
    if (ValueOrder.compare(range.min(), range.max()) >= 0
        || ValueOrder.compare(range.min(), chunk.range().min()) < 0
        || ValueOrder.compare(range.max(), chunk.range().max()) > 0) {
      throw new CommandException(
          ErrorCode.COMMAND_FAILED,
          "no single chunk of %s has the range %s".formatted(given.namespace, range));
    }
    var move =
        new MoveRange(
            given.namespace,
            collection.uuid(),
            range,
            chunk.shard(),
            given.to,
            bytesMax,
            given.forced,
            given.deletesNow);
    MoveRangeCoordinator.requireShard(
        metadata.store().findById(operation, "shards", given.to), move);
    if (chunk.shard().equals(given.to)) {
      return null;
    }
    return min != null && max != null
        ? move
        : move.withRange(part(operation, collection, move, min != null));
  }

  /**
   * What is moved of the rest of a chunk where one bound is given. The same request may have begun
   * it already, on another primary.
   *
   * @param first whether that is the lower bound
   */
  private ChunkRange part(
      OperationContext operation, CollectionDocument collection, MoveRange rest, boolean first) {
    for (RawDocument each : granted(operation)) {
      ChunkRange range = ChunkRange.of(each);
      boolean sameBound =
          first ? range.min().equals(rest.range().min()) : range.max().equals(rest.range().max());
      if (sameBound && isSameMove(each, rest)) {
        return range;
      }
    }
    var other =
        new OtherBound(
            new DonorSplits(metadata), operation, collection, rest.from(), rest.bytesMax());
    return first ? other.first(rest.range()) : other.last(rest.range());
  }

  private List<RawDocument> granted(OperationContext operation) {
    return metadata.store().find(operation, GrantedMigrations.COLLECTION, RawDocument.EMPTY);
  }

  /** Whether a migration is of the same collection and shards. */
  private static boolean isSameMove(RawDocument granted, MoveRange move) {
    return move.namespace().equals(DocumentFields.text(granted, "ns"))
        && move.from().equals(DocumentFields.text(granted, "fromShard"))
        && move.to().equals(DocumentFields.text(granted, "toShard"));
  }

  private static RawDocument normalized(RawDocument bound, ShardKeyPattern key) {
    RawDocument full = bound == null ? null : key.normalized(bound);
    if (bound != null && full == null) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "the bound %s is not valid for shard key pattern %s"
              .formatted(ValueText.of(bound), ValueText.of(key.pattern())));
    }
    return full;
  }

  /**
   * The chunk that has a key, or that ends with it.
   *
   * @param end whether the key is the end of the range
   */
  private ChunkDocument chunk(
      OperationContext operation, CollectionDocument collection, RawDocument key, boolean end) {
    var filter = new BsonBuilder().appendUuid("uuid", collection.uuid());
    filter.startDocument("min").appendDocument(end ? "$lt" : "$lte", key).end();
    List<RawDocument> found =
        metadata
            .store()
            .find(
                operation,
                GrantedMigrations.CHUNKS,
                new FindRequest.Builder().filter(filter.toDocument()).sort(LAST_FIRST).limit(1));
    if (found.isEmpty()) {
      throw new CommandException(
          ErrorCode.COMMAND_FAILED, "no chunk has the bound " + ValueText.of(key));
    }
    return ChunkDocument.of(found.getFirst());
  }

  private long bytesMax(OperationContext operation, CollectionDocument collection) {
    if (collection.maxChunkSizeBytes() > 0) {
      return collection.maxChunkSizeBytes();
    }
    RawDocument setting = metadata.store().findById(operation, "settings", "chunksize");
    long megabytes = setting == null ? 0 : DocumentFields.number(setting, "value");
    return (megabytes == 0 ? CHUNK_MEGABYTES_DEFAULT : megabytes) * MEGABYTE;
  }

  /** As in MongoDB a shard takes part in one migration at a time, and others do not wait. */
  private void requireFree(OperationContext operation, MoveRange move) {
    for (RawDocument each : granted(operation)) {
      String from = DocumentFields.text(each, "fromShard");
      String to = DocumentFields.text(each, "toShard");
      boolean same = isSameMove(each, move) && move.range().equals(ChunkRange.of(each));
      boolean shares =
          List.of(from, to).contains(move.from()) || List.of(from, to).contains(move.to());
      if (shares && !same) {
        throw new CommandException(
            ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
            "Unable to start new balancer operation because shard %s is currently donating range %s for namespace %s to %s"
                .formatted(from, ChunkRange.of(each), DocumentFields.text(each, "ns"), to));
      }
    }
  }
}
