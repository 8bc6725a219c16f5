package dev.wisent.cluster.config.balancer;

import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkRange;

/** Makes one chunk of neighbours that have been on one shard for long enough. */
public interface ChunkMerges {
  /**
   * How much is merged.
   *
   * @param groupMax of how many chunks one may be made
   * @param chunksMax how many chunks are merged in all
   */
  record Bounds(long groupMax, long chunksMax) {}

  /** Merges what can be merged; how many chunks there are less. */
  long merge(OperationContext operation, String namespace, String shard, Bounds bounds);

  /**
   * Makes one chunk of all that are in a range; false where that is not possible now.
   *
   * @param range that begins and ends with chunks of the shard
   */
  boolean merge(OperationContext operation, String namespace, String shard, ChunkRange range);
}
