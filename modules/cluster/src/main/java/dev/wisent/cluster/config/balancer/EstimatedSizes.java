package dev.wisent.cluster.config.balancer;

import dev.wisent.sharding.balance.ChunkView;
import dev.wisent.sharding.balance.CollectionSizes;
import dev.wisent.sharding.balance.ShardLoad;
import java.util.List;

/**
 * The sizes that shards have told. What a shard has that does not answer is estimated: as many
 * chunks as it has, of the average size.
 */
final class EstimatedSizes implements CollectionSizes {
  private final long[] bytes;

  EstimatedSizes(String namespace, ChunkView chunks, List<ShardLoad> shards, ShardSizes sizes) {
    this.bytes = new long[shards.size()];
    var counts = new long[shards.size()];
    for (int i = 0; i < chunks.size(); i++) {
      counts[chunks.shard(i)]++;
    }
    long known = 0;
    long knownChunks = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (shards.get(i).reachable() && counts[i] > 0) {
        bytes[i] = sizes.bytes(shards.get(i).name(), namespace);
        known += bytes[i];
        knownChunks += counts[i];
      }
    }
    for (int i = 0; i < bytes.length; i++) {
      if (!shards.get(i).reachable() && knownChunks > 0) {
        bytes[i] = known / knownChunks * counts[i];
      }
    }
  }

  @Override
  public long bytes(int shard) {
    return bytes[shard];
  }
}
