package dev.wisent.sharding.balance;

import dev.wisent.bson.RawDocument;
import dev.wisent.sharding.ChunkRange;

/** The chunks of a collection, numbered in the order of their keys, without a gap. */
public interface ChunkView {
  int size();

  /** The number of a chunk's shard in {@link ClusterLoad#shards}. */
  int shard(int chunk);

  boolean isJumbo(int chunk);

  ChunkRange range(int chunk);

  /** The chunk that has a key; the last one for the greatest of all keys. */
  int indexOf(RawDocument key);
}
