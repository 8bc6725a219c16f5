package dev.wisent.sharding;

import dev.wisent.bson.RawValue;
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
    return add(chunk, null);
  }

  /**
   * @param places where it has been; null where that is the same shard all the time
   */
  RoutingTableBuilder add(Chunk chunk, ChunkPlaces places) {
    return add(chunk.range(), chunk.shard(), chunk.version().combined(), chunk.jumbo(), places);
  }

  /**
   * @param range may be one of the key that this one refines
   * @param version both numbers
   * @param history of the chunk's document; may be null
   */
  RoutingTableBuilder add(
      ChunkRange range, String shard, long version, boolean jumbo, RawValue history) {
    long begin = older == null ? none.timestamp() : older.version().timestamp();
    return add(range, shard, version, jumbo, ChunkPlaces.of(history, begin, this));
  }

  /** The number of a shard, which may have chunks now or have had some. */
  int indexOf(String shard) {
    indexes = indexes.with(shard);
    return indexes.of(shard);
  }

  private RoutingTableBuilder add(
      ChunkRange range, String shard, long version, boolean jumbo, ChunkPlaces places) {
    int index = indexOf(shard);
    chunks.add(
        new EncodedChunk(
            EncodedBound.of(key.encoded(key.completed(range.min()))),
            EncodedBound.of(key.encoded(key.completed(range.max()))),
            index,
            version,
            jumbo,
            places));
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
