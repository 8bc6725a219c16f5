package dev.wisent.cluster.config.balancer;

import dev.wisent.operation.OperationContext;

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
}
