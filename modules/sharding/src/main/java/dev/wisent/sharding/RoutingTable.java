package dev.wisent.sharding;

import java.util.Set;

/** The chunks of a collection, sorted by their encoded lower bounds. */
public final class RoutingTable {
  /** The newest version of all chunks. */
  public ChunkVersion version() {
    throw new UnsupportedOperationException();
  }

  /** The newest version of a shard's chunks; 0|0 of the same epoch where it has none. */
  public ChunkVersion versionOf(String shard) {
    throw new UnsupportedOperationException();
  }

  /** The shard whose chunk has an encoded key. */
  public String shardOf(byte[] key) {
    throw new UnsupportedOperationException();
  }

  /** The shards that have chunks. */
  public Set<String> shards() {
    throw new UnsupportedOperationException();
  }

  public int chunkCount() {
    throw new UnsupportedOperationException();
  }
}
