package dev.wisent.sharding.balance;

import java.util.List;

/**
 * What a round of the balancer is decided from.
 *
 * @param collections those that are balanced
 */
public record ClusterLoad(List<ShardLoad> shards, List<CollectionLoad> collections) {
  public ClusterLoad {
    shards = List.copyOf(shards);
    collections = List.copyOf(collections);
  }
}
