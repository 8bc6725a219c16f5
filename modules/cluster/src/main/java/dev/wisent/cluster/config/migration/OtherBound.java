package dev.wisent.cluster.config.migration;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.CollectionDocument;
import java.util.List;

/**
 * The bound that a request to move a range leaves out: from the given one on, or up to it, at most
 * as much as a chunk may have.
 */
final class OtherBound {
  /** How many parts a chunk has; the bound lies between two of them. */
  private static final int PARTS = 8;

  /** How many are moved: each part has a document more than its size. */
  private static final int MOVED = PARTS - 1;

  private final DonorSplits splits;
  private final OperationContext operation;
  private final CollectionDocument collection;
  private final String shard;
  private final long bytesMax;

  /**
   * @param shard the owner of the range
   */
  OtherBound(
      DonorSplits splits,
      OperationContext operation,
      CollectionDocument collection,
      String shard,
      long bytesMax) {
    this.splits = splits;
    this.operation = operation;
    this.collection = collection;
    this.shard = shard;
    this.bytesMax = bytesMax;
  }

  /** The beginning of a range. */
  ChunkRange first(ChunkRange range) {
    List<RawDocument> points = points(range, bytesMax / PARTS, MOVED);
    return points.size() < MOVED ? range : new ChunkRange(range.min(), points.getLast());
  }

  /** The end of a range. Keys are found in ascending order, first of what may be moved at all. */
  ChunkRange last(ChunkRange range) {
    List<RawDocument> chunks = points(range, bytesMax, 0);
    ChunkRange end =
        chunks.size() < 2 ? range : new ChunkRange(chunks.get(chunks.size() - 2), range.max());
    List<RawDocument> points = points(end, bytesMax / PARTS, 0);
    return points.size() < MOVED
        ? end
        : new ChunkRange(points.get(points.size() - MOVED), range.max());
  }

  private List<RawDocument> points(ChunkRange range, long bytes, int pointsMax) {
    return splits.points(operation, collection, shard, range, bytes, pointsMax);
  }
}
