package dev.wisent.cluster.config.migration;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueOrder;
import dev.wisent.cluster.config.metadata.CatalogChange;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkHistory;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import java.util.ArrayList;
import java.util.List;
import org.bson.types.ObjectId;

/**
 * The chunks after a migration: the range is a chunk of its own on its new shard, what is left of
 * the chunk stays with the donor. The donor gets the new version too, with a part of that chunk or
 * with any other of its chunks.
 */
final class SettledChunks {
  private final ClusterMetadata metadata;

  SettledChunks(ClusterMetadata metadata) {
    this.metadata = metadata;
  }

  void write(
      CatalogChange change, CollectionDocument collection, MoveRange move, ChunkVersion version) {
    RawDocument seen = GrantedMigrations.chunkOf(change, collection.uuid(), move.range());
    ChunkDocument chunk = ChunkDocument.of(seen);
    ChunkVersion next = version;
    var parts = new ArrayList<ChunkDocument>();
    parts.add(moved(chunk, move, next));
    for (ChunkRange rest : rests(chunk.range(), move.range())) {
      next = next.nextMinor();
      parts.add(part(chunk, rest, next));
    }
    change.delete(GrantedMigrations.CHUNKS, seen);
    if (parts.size() == 1) {
      RawDocument other = GrantedMigrations.chunkOf(change, collection.uuid(), move.from(), seen);
      if (other != null) {
        ChunkDocument kept = ChunkDocument.of(other);
        change.replace(
            GrantedMigrations.CHUNKS,
            other,
            kept.marked(kept.jumbo(), next.nextMinor()).toDocument());
      }
    }
    change.insert(GrantedMigrations.CHUNKS, parts.stream().map(ChunkDocument::toDocument).toList());
  }

  private static List<ChunkRange> rests(ChunkRange chunk, ChunkRange moved) {
    var rests = new ArrayList<ChunkRange>(2);
    if (ValueOrder.compare(chunk.min(), moved.min()) < 0) {
      rests.add(new ChunkRange(chunk.min(), moved.min()));
    }
    if (ValueOrder.compare(moved.max(), chunk.max()) < 0) {
      rests.add(new ChunkRange(moved.max(), chunk.max()));
    }
    return rests;
  }

  private ChunkDocument moved(ChunkDocument chunk, MoveRange move, ChunkVersion version) {
    long now = metadata.clusterTime().tick();
    boolean whole = chunk.range().equals(move.range());
    ObjectId id = whole ? chunk.id() : metadata.ids().get();
    return new ChunkDocument(
        id,
        chunk.uuid(),
        move.range(),
        move.to(),
        version.combined(),
        now,
        ChunkHistory.moved(chunk.history(), now, move.to()),
        false);
  }

  private ChunkDocument part(ChunkDocument chunk, ChunkRange range, ChunkVersion version) {
    boolean first = range.min().equals(chunk.range().min());
    return new ChunkDocument(
        first ? chunk.id() : metadata.ids().get(),
        chunk.uuid(),
        range,
        chunk.shard(),
        version.combined(),
        chunk.onCurrentShardSince(),
        chunk.history(),
        false);
  }
}
