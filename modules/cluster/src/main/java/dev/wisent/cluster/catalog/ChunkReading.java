package dev.wisent.cluster.catalog;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.sharding.RoutingTableBuilder;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.UUID;

/**
 * The chunks of a collection, as far as they are read. They come in the order of their versions, so
 * that one that is changed meanwhile comes once more, and a reading that was given up goes on
 * behind the newest version that it has seen. For one thread at a time.
 */
final class ChunkReading {
  private final UUID uuid;
  private final ChunkVersion none;
  private final ShardKeyPattern key;

  /** The table that changes; null where all chunks are read. */
  private final RoutingTable older;

  /** Whether splits are read too, which may be older than the newest migration. */
  private final boolean splits;

  private final RoutingTableBuilder table;
  private long newest;
  private long read;

  /**
   * @param older null where all chunks are read
   * @param splits whether splits are read too
   */
  ChunkReading(
      CollectionDocument collection, ShardKeyPattern key, RoutingTable older, boolean splits) {
    this.splits = splits;
    this.uuid = collection.uuid();
    this.none = collection.noChunks();
    this.key = key;
    this.older = older;
    this.table = older == null ? RoutingTableBuilder.of(key, none) : older.changes();
  }

  /** Whether it is one of these chunks, over the same table. */
  boolean isOf(CollectionDocument collection, RoutingTable base, boolean withSplits) {
    return splits == withSplits
        && uuid.equals(collection.uuid())
        && none.equals(collection.noChunks())
        && older == base;
  }

  ShardKeyPattern key() {
    return key;
  }

  /** How many were read. */
  long size() {
    return read;
  }

  /** What is left to be read. */
  RawDocument filter() {
    var filter = new BsonBuilder().appendUuid("uuid", uuid).startDocument("lastmod");
    if (read > 0) {
      filter.appendTimestamp("$gt", newest);
    } else {
      filter.appendTimestamp("$gte", since());
    }
    return filter.end().toDocument();
  }

  private long since() {
    if (older == null) {
      return 0;
    }
    return (splits ? older.oldestOfShards() : older.version()).combined();
  }

  void add(RawDocument document) {
    newest = ChunkDocument.addTo(table, document);
    read++;
  }

  RoutingTable table() {
    return table.build();
  }
}
