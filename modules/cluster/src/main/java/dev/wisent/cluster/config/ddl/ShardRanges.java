package dev.wisent.cluster.config.ddl;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import java.util.ArrayList;
import java.util.List;

/** What a shard owns of a collection: the ranges of chunks side by side. */
final class ShardRanges {
  private final List<ChunkRange> merged = new ArrayList<>();

  /** The version of its newest chunk; 0 where it has none. */
  private long newest;

  /**
   * @param chunks of all shards, in the order of their keys
   */
  static ShardRanges of(String shard, List<ChunkDocument> chunks) {
    var ranges = new ShardRanges();
    for (ChunkDocument chunk : chunks) {
      if (chunk.shard().equals(shard)) {
        ranges.add(chunk.range(), chunk.lastmod());
      }
    }
    return ranges;
  }

  /** Adds a chunk behind those that were added before. */
  void add(ChunkRange range, long version) {
    newest = Math.max(newest, version);
    ChunkRange last = merged.isEmpty() ? null : merged.getLast();
    if (last != null && last.max().equals(range.min())) {
      merged.set(merged.size() - 1, new ChunkRange(last.min(), range.max()));
    } else {
      merged.add(range);
    }
  }

  /** What the shard is told of the collection. */
  void appendOwned(CollectionDocument collection, BsonBuilder out) {
    ChunkVersion version = ChunkVersion.of(collection.epoch(), collection.timestamp(), newest);
    out.appendUuid("uuid", collection.uuid()).appendDocument("key", collection.key());
    out.appendBoolean("unique", collection.unique());
    if (!collection.defaultCollation().isEmpty()) {
      out.appendDocument("defaultCollation", collection.defaultCollation());
    }
    out.appendBoolean("unsplittable", collection.unsplittable());
    out.appendDocument("version", version.toDocument());
    out.append(
        "ranges", DocumentFields.arrayOf(merged.stream().map(ShardRanges::document).toList()));
  }

  private static RawDocument document(ChunkRange range) {
    var out = new BsonBuilder();
    range.append(out);
    return out.toDocument();
  }
}
