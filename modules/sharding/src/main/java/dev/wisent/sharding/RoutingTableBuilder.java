package dev.wisent.sharding;

import java.util.ArrayList;
import java.util.List;

/**
 * Takes the chunks of a {@link RoutingTable} one after the other, in any order. A chunk is encoded
 * when it comes, so that what it was read from need not be kept. For one thread.
 */
public final class RoutingTableBuilder {
  private final ShardKeyPattern key;
  private final ChunkVersion none;

  /** The table that changes; null for a new one. */
  private final RoutingTable older;

  private final List<EncodedChunk> chunks = new ArrayList<>();
  private ShardIndexes indexes;

  private RoutingTableBuilder(
      ShardKeyPattern key, ChunkVersion none, RoutingTable older, ShardIndexes indexes) {
    this.key = key;
    this.none = none;
    this.older = older;
    this.indexes = indexes;
  }

  /**
   * For all chunks of a collection.
   *
   * @param collection any version of the collection: its epoch and timestamp count
   */
  public static RoutingTableBuilder of(ShardKeyPattern key, ChunkVersion collection) {
    var none = new ChunkVersion(collection.epoch(), collection.timestamp(), 0, 0);
    return new RoutingTableBuilder(key, none, null, ShardIndexes.EMPTY);
  }

  /** For the chunks that have changed since an older table. */
  static RoutingTableBuilder since(RoutingTable older, ShardIndexes indexes) {
    return new RoutingTableBuilder(older.key(), null, older, indexes);
  }

  public RoutingTableBuilder add(Chunk chunk) {
    return add(chunk.range(), chunk.shard(), chunk.version().combined(), chunk.jumbo());
  }

  /**
   * @param range may be one of the key that this one refines
   * @param version both numbers
   */
  RoutingTableBuilder add(ChunkRange range, String shard, long version, boolean jumbo) {
    indexes = indexes.with(shard);
    chunks.add(
        new EncodedChunk(
            EncodedBound.of(key.encoded(key.completed(range.min()))),
            EncodedBound.of(key.encoded(key.completed(range.max()))),
            indexes.of(shard),
            version,
            jumbo));
    return this;
  }

  /**
   * The table. Of chunks that overlap the newest count. Fails with ConflictingOperationInProgress
   * where they leave a gap, because some chunk is missing; then all of them have to be read again.
   */
  public RoutingTable build() {
    if (older == null) {
      return RoutingTable.of(key, none, indexes, chunks);
    }
    return chunks.isEmpty() ? older : older.updated(indexes, chunks);
  }
}
