package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.bson.ValueText;
import dev.wisent.cluster.config.balancer.GrowingEnds;
import dev.wisent.cluster.config.metadata.CatalogChange;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.metadata.KeptOutcomes;
import dev.wisent.cluster.config.migration.GrantedMigrations;
import dev.wisent.operation.FindRequest;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkHistory;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.sharding.balance.GrowingEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Splits and merges chunks: each is one change of the metadata, and shards do not notice. */
public final class ChunkCommands {
  private static final RawDocument BY_MIN = RawDocument.parse("{min: 1}");

  private final ClusterMetadata metadata;
  private final GrowingEnds ends;

  /**
   * @param ends are told where a shard has split the first or the last chunk of a collection
   */
  public ChunkCommands(ClusterMetadata metadata, GrowingEnds ends) {
    this.metadata = metadata;
    this.ends = ends;
  }

  /** The arguments of all commands here. */
  private static final class Arguments {
    private final String namespace;
    private List<RawDocument> bounds;
    private List<RawDocument> splitKeys = List.of();
    private boolean grown;

    /**
     * @param splits whether keys may be given at which a chunk is split
     */
    Arguments(CommandRequest request, boolean splits) {
      this.namespace = ArgumentTypes.string(request.pathOfArgument(), request.argument());
      ArgumentReader reader = ArgumentReader.of(request);
      while (reader.next()) {
        if (reader.name().equals("bounds")) {
          bounds = reader.documents();
        } else if (!splits || !readOfSplit(reader)) {
          reader.unknown();
        }
      }
      if (bounds == null || bounds.isEmpty()) {
        throw new CommandException(ErrorCode.INVALID_OPTIONS, "no bounds were specified");
      }
      if (bounds.size() != 2) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS, "only a min and max bound may be specified");
      }
    }

    private boolean readOfSplit(ArgumentReader reader) {
      switch (reader.name()) {
        case "splitKeys" -> splitKeys = reader.documents();
        case "fromChunkSplitter" -> grown = reader.bool();
        default -> {
          return false;
        }
      }
      return true;
    }

    RawDocument min() {
      return bounds.getFirst();
    }

    RawDocument max() {
      return bounds.getLast();
    }
  }

  private void change(
      CommandRequest request, CommandContext context, String what, Arguments given, Work work) {
    RawDocument details =
        new BsonBuilder()
            .append("bounds", DocumentFields.arrayOf(given.bounds))
            .append("splitKeys", DocumentFields.arrayOf(given.splitKeys))
            .toDocument();
    metadata
        .writer()
        .change(
            context.operation(),
            new CatalogWriter.Entry(
                what,
                given.namespace,
                details,
                context.client().remoteAddress(),
                KeptOutcomes.of(request, metadata.clock().wallMillis(), RawDocument.EMPTY)),
            change -> {
              RawDocument found =
                  change.findOne(CatalogReads.COLLECTIONS, DocumentFields.byId(given.namespace));
              if (!CollectionDocument.isSharded(found)) {
                throw CatalogReads.notSharded(given.namespace);
              }
              RefinedChunks.requireComplete(found);
              CollectionDocument collection = CollectionDocument.of(found);
              GrantedMigrations.requireNone(change, collection.uuid(), given.min(), given.max());
              work.run(change, collection);
            });
  }

  /** A change of the chunks of a collection. */
  private interface Work {
    void run(CatalogChange change, CollectionDocument collection);
  }

  /** {@code _configsvrSplit}: splits the chunk with these bounds at keys. */
  public void split(CommandRequest request, CommandContext context, BsonBuilder reply) {
    var given = new Arguments(request, true);
    change(
        request,
        context,
        given.splitKeys.size() > 1 ? "multi-split" : "split",
        given,
        (change, collection) -> split(change, collection, given));
    if (given.grown) {
      noteEnd(given);
    }
  }

  /** Where new keys go; a chunk with both ends has no direction. */
  private void noteEnd(Arguments given) {
    boolean low = consistsOf(given.min(), RawValue.MIN_KEY);
    boolean high = consistsOf(given.max(), RawValue.MAX_KEY);
    if (low != high) {
      ends.split(given.namespace, low ? GrowingEnd.LOW : GrowingEnd.HIGH);
    }
  }

  private static boolean consistsOf(RawDocument bound, RawValue value) {
    for (var each = bound.elements(); each.next(); ) {
      if (each.value().type() != value.type()) {
        return false;
      }
    }
    return true;
  }

  private void split(CatalogChange change, CollectionDocument collection, Arguments given) {
    RawDocument seen = chunkAt(change, collection.uuid(), given);
    ChunkDocument chunk = ChunkDocument.of(seen);
    ChunkVersion version = ChunkVersions.newestOf(change, collection, chunk.shard());
    var parts = new ArrayList<ChunkDocument>();
    RawDocument min = chunk.range().min();
    for (RawDocument key : given.splitKeys) {
      checkInside(key, min, chunk.range());
      version = version.nextMinor();
      parts.add(part(chunk, min, key.detached(), version, parts.isEmpty()));
      min = key.detached();
    }
    if (parts.isEmpty()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "need to provide the split points");
    }
    parts.add(part(chunk, min, chunk.range().max(), version.nextMinor(), false));
    change.replace(CatalogReads.CHUNKS, seen, parts.getFirst().toDocument());
    change.insert(
        CatalogReads.CHUNKS, parts.stream().skip(1).map(ChunkDocument::toDocument).toList());
  }

  private static void checkInside(RawDocument key, RawDocument before, ChunkRange range) {
    if (ValueOrder.compare(key, range.min()) == 0 || ValueOrder.compare(key, range.max()) == 0) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Split keys cannot contain a boundary of the chunk: " + ValueText.of(key));
    }
    if (ValueOrder.compare(key, before) <= 0 || ValueOrder.compare(key, range.max()) > 0) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Split keys must be strictly in order and inside of the chunk: " + ValueText.of(key));
    }
  }

  /** The first part keeps the id. */
  private ChunkDocument part(
      ChunkDocument chunk, RawDocument min, RawDocument max, ChunkVersion version, boolean first) {
    return new ChunkDocument(
        first ? chunk.id() : metadata.ids().get(),
        chunk.uuid(),
        new ChunkRange(min, max),
        chunk.shard(),
        version.combined(),
        chunk.onCurrentShardSince(),
        chunk.history(),
        false);
  }

  private static RawDocument chunkAt(CatalogChange change, UUID uuid, Arguments given) {
    RawDocument filter =
        new BsonBuilder()
            .appendUuid("uuid", uuid)
            .appendDocument("min", given.min())
            .appendDocument("max", given.max())
            .toDocument();
    RawDocument found = change.findOne(CatalogReads.CHUNKS, filter);
    if (found == null) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "there is no chunk of %s from %s to %s"
              .formatted(given.namespace, ValueText.of(given.min()), ValueText.of(given.max())));
    }
    return found;
  }

  /** {@code _configsvrMergeChunks}: makes one chunk of neighbours on one shard. */
  public void merge(CommandRequest request, CommandContext context, BsonBuilder reply) {
    var given = new Arguments(request, false);
    change(
        request,
        context,
        "merge",
        given,
        (change, collection) -> {
          checkKeys(collection, given);
          merge(change, collection, given);
        });
  }

  private static void checkKeys(CollectionDocument collection, Arguments given) {
    ShardKeyPattern key = ShardKeyPattern.of(collection.key());
    if (key.normalized(given.min()) == null || key.normalized(given.max()) == null) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "shard key bounds [%s,%s) are not valid for shard key pattern %s"
              .formatted(
                  ValueText.of(given.min()),
                  ValueText.of(given.max()),
                  ValueText.of(collection.key())));
    }
  }

  private void merge(CatalogChange change, CollectionDocument collection, Arguments given) {
    List<RawDocument> inside =
        change.find(CatalogReads.CHUNKS, chunksInside(collection.uuid(), given));
    if (inside.size() < 2) {
      throw illegal("collection %s has %d chunk(s) in the range", given, inside.size());
    }
    ChunkDocument first = ChunkDocument.of(inside.getFirst());
    ChunkDocument last = ChunkDocument.of(inside.getLast());
    if (!first.range().min().equals(given.min()) || !last.range().max().equals(given.max())) {
      throw illegal(
          "collection %s has no chunks with these bounds (%d inside)", given, inside.size());
    }
    for (RawDocument each : inside) {
      if (!ChunkDocument.of(each).shard().equals(first.shard())) {
        throw illegal(
            "collection %s has chunks of several shards in the range (%d)", given, inside.size());
      }
    }
    ChunkVersion version = ChunkVersions.newestOf(change, collection, first.shard()).nextMinor();
    inside.forEach(each -> change.delete(CatalogReads.CHUNKS, each));
    List<ChunkDocument> parts = inside.stream().map(ChunkDocument::of).toList();
    change.insert(
        CatalogReads.CHUNKS,
        new ChunkDocument(
                first.id(),
                first.uuid(),
                new ChunkRange(first.range().min(), last.range().max()),
                first.shard(),
                version.combined(),
                parts.stream()
                    .map(ChunkDocument::onCurrentShardSince)
                    .max(Long::compareUnsigned)
                    .orElseThrow(),
                ChunkHistory.merged(parts.stream().map(ChunkDocument::history).toList()),
                false)
            .toDocument());
  }

  private static FindRequest.Builder chunksInside(UUID uuid, Arguments given) {
    RawDocument filter =
        new BsonBuilder()
            .appendUuid("uuid", uuid)
            .startDocument("min")
            .appendDocument("$gte", given.min())
            .appendDocument("$lt", given.max())
            .end()
            .toDocument();
    return new FindRequest.Builder().filter(filter).sort(BY_MIN);
  }

  private static CommandException illegal(String message, Arguments given, int count) {
    return new CommandException(
        ErrorCode.ILLEGAL_OPERATION,
        "could not merge chunks, " + message.formatted(given.namespace, count));
  }

  /** {@code _configsvrClearJumboFlag}, of the chunk with these bounds. */
  public void clearJumboFlag(CommandRequest request, CommandContext context, BsonBuilder reply) {
    setJumbo(request, context, "clearJumboFlag", false);
  }

  /** {@code _configsvrMarkJumbo}: the chunk with these bounds is too large and of one key. */
  public void markJumbo(CommandRequest request, CommandContext context, BsonBuilder reply) {
    setJumbo(request, context, "markJumbo", true);
  }

  /** The version changes with the flag, so that it is noticed. */
  private void setJumbo(
      CommandRequest request, CommandContext context, String what, boolean jumbo) {
    var given = new Arguments(request, false);
    change(
        request,
        context,
        what,
        given,
        (change, collection) -> {
          RawDocument seen = chunkAt(change, collection.uuid(), given);
          ChunkDocument chunk = ChunkDocument.of(seen);
          if (chunk.jumbo() != jumbo) {
            ChunkVersion version =
                ChunkVersions.newestOf(change, collection, chunk.shard()).nextMinor();
            change.replace(CatalogReads.CHUNKS, seen, chunk.marked(jumbo, version).toDocument());
          }
        });
  }
}
