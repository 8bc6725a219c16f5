package dev.wisent.sharding.balance;

import java.util.OptionalLong;

/** How much data of a collection shards have, without orphans. Shards have their numbers. */
@FunctionalInterface
public interface CollectionSizes {
  long bytes(int shard);

  /**
   * How much of it is in the ranges of a zone, where that is known; otherwise the number of chunks
   * tells.
   *
   * @param zone null for what is in no zone
   */
  default OptionalLong bytesInZone(int shard, String zone) {
    return OptionalLong.empty();
  }
}
