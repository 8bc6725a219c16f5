package dev.wisent.sharding;

import java.util.Set;

/**
 * The shards that a filter is for: every document that it matches is on one of them.
 *
 * @param shards at least one, also where nothing can match
 * @param key the encoded shard key that all documents have which the filter matches; null where
 *     they may have different ones
 */
public record ShardTargets(Set<String> shards, byte[] key) {
  public ShardTargets {
    shards = Set.copyOf(shards);
  }

  /** Whether the filter fixes the whole shard key. */
  public boolean isExact() {
    return key != null;
  }

  public boolean isOneShard() {
    return shards.size() == 1;
  }
}
