package dev.wisent.cluster.config.ddl;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkRange;
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

  private static RawDocument document(ChunkRange range) {
    var out = new BsonBuilder();
    range.append(out);
    return out.toDocument();
  }
}
