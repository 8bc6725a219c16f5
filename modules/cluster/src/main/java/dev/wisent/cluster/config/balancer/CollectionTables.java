package dev.wisent.cluster.config.balancer;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.sharding.RoutingTableBuilder;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The chunks of all sharded collections. A round reads those of collections that have changed since
 * the last one. Of the thread of the balancer.
 */
final class CollectionTables {
  private static final RawDocument OLDEST_FIRST = RawDocument.parse("{lastmod: 1}");

  /** So many chunks are in memory as documents at a time. */
  private static final int PAGE_CHUNKS = 10_000;

  private final CatalogStore store;
  private final Map<UUID, Read> tables = new HashMap<>();

  private record Read(ChunkVersion none, RoutingTable table) {
    long newest() {
      return table.version().combined();
    }
  }

  CollectionTables(CatalogStore store) {
    this.store = store;
  }

  /** Forgets collections that are not among these. */
  void retain(Collection<CollectionDocument> collections) {
    var uuids = new HashSet<UUID>();
    collections.forEach(each -> uuids.add(each.uuid()));
    tables.keySet().retainAll(uuids);
  }

  /** The newest table of a collection; null where its chunks are being changed as a whole. */
  RoutingTable table(OperationContext operation, CollectionDocument collection) {
    Read before = tables.get(collection.uuid());
    if (before != null && isCurrent(operation, collection, before)) {
      return before.table;
    }
    tables.remove(collection.uuid());
    try {
      RoutingTable table = read(operation, collection);
      tables.put(collection.uuid(), new Read(collection.noChunks(), table));
      return table;
    } catch (CommandException e) {
      if (e.code() != ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS) {
        throw e;
      }
      return null;
    }
  }

  /**
   * Splits change the number of chunks, migrations the newest version. A split may have a version
   * that is older than those of other shards, so that changes are not found by their versions.
   */
  private boolean isCurrent(
      OperationContext operation, CollectionDocument collection, Read before) {
    return before.none.equals(collection.noChunks())
        && store.find(operation, "chunks", since(collection.uuid(), before.newest())).isEmpty()
        && store.count(operation, "chunks", ofUuid(collection.uuid())) == before.table.chunkCount();
  }

  private RoutingTable read(OperationContext operation, CollectionDocument collection) {
    RoutingTableBuilder builder =
        RoutingTableBuilder.of(ShardKeyPattern.of(collection.key()), collection.noChunks());
    long newest = 0;
    List<RawDocument> page;
    do {
      page = store.find(operation, "chunks", since(collection.uuid(), newest));
      for (RawDocument chunk : page) {
        newest = ChunkDocument.addTo(builder, chunk);
      }
    } while (page.size() == PAGE_CHUNKS);
    return builder.build();
  }

  private static RawDocument ofUuid(UUID uuid) {
    return new BsonBuilder().appendUuid("uuid", uuid).toDocument();
  }

  private static FindRequest.Builder since(UUID uuid, long version) {
    RawDocument filter =
        new BsonBuilder()
            .appendUuid("uuid", uuid)
            .startDocument("lastmod")
            .appendTimestamp("$gt", version)
            .end()
            .toDocument();
    return new FindRequest.Builder().filter(filter).sort(OLDEST_FIRST).limit(PAGE_CHUNKS);
  }

  void clear() {
    tables.clear();
  }
}
