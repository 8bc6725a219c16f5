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

/**
 * What a shard owns of a collection.
 *
 * @param ranges of chunks side by side
 * @param newest the version of its newest chunk; 0 where it has none
 */
record ShardRanges(List<RawDocument> ranges, long newest) {
  /**
   * @param chunks of all shards, in the order of their keys
   */
  static ShardRanges of(String shard, List<ChunkDocument> chunks) {
    var merged = new ArrayList<ChunkRange>();
    long newest = 0;
    for (ChunkDocument chunk : chunks) {
      if (!chunk.shard().equals(shard)) {
        continue;
      }
      newest = Math.max(newest, chunk.lastmod());
      ChunkRange last = merged.isEmpty() ? null : merged.getLast();
      if (last != null && last.max().equals(chunk.range().min())) {
        merged.set(merged.size() - 1, new ChunkRange(last.min(), chunk.range().max()));
      } else {
        merged.add(chunk.range());
      }
    }
    return new ShardRanges(merged.stream().map(ShardRanges::document).toList(), newest);
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
    out.append("ranges", DocumentFields.arrayOf(ranges));
  }

  private static RawDocument document(ChunkRange range) {
    var out = new BsonBuilder();
    range.append(out);
    return out.toDocument();
  }
}
