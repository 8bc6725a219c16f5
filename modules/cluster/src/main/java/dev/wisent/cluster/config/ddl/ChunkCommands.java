package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueOrder;
import dev.wisent.bson.ValueText;
import dev.wisent.cluster.config.metadata.CatalogChange;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.metadata.DocumentFields;
import dev.wisent.operation.FindRequest;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Splits and merges chunks: each is one change of the metadata, and shards do not notice. */
public final class ChunkCommands {
  private static final RawDocument BY_MIN = RawDocument.parse("{min: 1}");
  private static final RawDocument NEWEST_FIRST = RawDocument.parse("{lastmod: -1}");

  private final ClusterMetadata metadata;

  public ChunkCommands(ClusterMetadata metadata) {
    this.metadata = metadata;
  }

  /** The arguments of all commands here. */
  private static final class Arguments {
    private final String namespace;
    private List<RawDocument> bounds;
    private List<RawDocument> splitKeys = List.of();

    Arguments(CommandRequest request) {
      this.namespace = ArgumentTypes.string(request.name(), request.argument());
      ArgumentReader reader = ArgumentReader.of(request);
      while (reader.next()) {
        switch (reader.name()) {
          case "bounds" -> bounds = reader.documents();
          case "splitKeys" -> splitKeys = reader.documents();
          default -> reader.unknown();
        }
      }
      if (bounds == null || bounds.size() != 2) {
        throw new CommandException(
            ErrorCode.FAILED_TO_PARSE, "'bounds' must be an array of two documents");
      }
    }

    RawDocument min() {
      return bounds.getFirst();
    }

    RawDocument max() {
      return bounds.getLast();
    }
  }

  private void change(CommandContext context, String what, Arguments given, Work work) {
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
                what, given.namespace, details, context.client().remoteAddress()),
            change -> {
              RawDocument found =
                  change.findOne(CatalogReads.COLLECTIONS, DocumentFields.byId(given.namespace));
              if (found == null) {
                throw CatalogReads.notSharded(given.namespace);
              }
              work.run(change, CollectionDocument.of(found));
            });
  }

  /** A change of the chunks of a collection. */
  private interface Work {
    void run(CatalogChange change, CollectionDocument collection);
  }

  /** {@code _configsvrSplit}: splits the chunk with these bounds at keys. */
  public void split(CommandRequest request, CommandContext context, BsonBuilder reply) {
    var given = new Arguments(request);
    change(
        context,
        given.splitKeys.size() > 1 ? "multi-split" : "split",
        given,
        (change, collection) -> split(change, collection, given));
  }

  private void split(CatalogChange change, CollectionDocument collection, Arguments given) {
    RawDocument seen = chunkAt(change, collection.uuid(), given);
    ChunkDocument chunk = ChunkDocument.of(seen);
    ChunkVersion version = newest(change, collection);
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

  private static ChunkVersion newest(CatalogChange change, CollectionDocument collection) {
    RawDocument newest =
        change
            .find(
                CatalogReads.CHUNKS,
                new FindRequest.Builder()
                    .filter(CatalogReads.ofUuid(collection.uuid()))
                    .sort(NEWEST_FIRST)
                    .limit(1))
            .getFirst();
    return ChunkVersion.of(
        collection.epoch(), collection.timestamp(), newest.get("lastmod").asInt64());
  }

  /** {@code _configsvrMergeChunks}: makes one chunk of neighbours on one shard. */
  public void merge(CommandRequest request, CommandContext context, BsonBuilder reply) {
    var given = new Arguments(request);
    change(context, "merge", given, (change, collection) -> merge(change, collection, given));
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
    inside.forEach(each -> change.delete(CatalogReads.CHUNKS, each));
    change.insert(
        CatalogReads.CHUNKS,
        part(
                first,
                first.range().min(),
                last.range().max(),
                newest(change, collection, inside).nextMinor(),
                true)
            .toDocument());
  }

  /** The newest version, also where its chunk was one of those that are merged. */
  private static ChunkVersion newest(
      CatalogChange change, CollectionDocument collection, List<RawDocument> merged) {
    long newest = 0;
    for (RawDocument each : merged) {
      newest = Math.max(newest, each.get("lastmod").asInt64());
    }
    ChunkVersion found = ChunkVersion.of(collection.epoch(), collection.timestamp(), newest);
    boolean others =
        change.findOne(CatalogReads.CHUNKS, CatalogReads.ofUuid(collection.uuid())) != null;
    ChunkVersion rest = others ? newest(change, collection) : found;
    return rest.isOlderThan(found) ? found : rest;
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
    var given = new Arguments(request);
    change(
        context,
        what,
        given,
        (change, collection) -> {
          RawDocument seen = chunkAt(change, collection.uuid(), given);
          ChunkDocument chunk = ChunkDocument.of(seen);
          if (chunk.jumbo() != jumbo) {
            ChunkVersion version = newest(change, collection).nextMinor();
            change.replace(CatalogReads.CHUNKS, seen, chunk.marked(jumbo, version).toDocument());
          }
        });
  }
}
