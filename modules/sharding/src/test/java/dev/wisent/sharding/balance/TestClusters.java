package dev.wisent.sharding.balance;

import dev.wisent.sharding.balance.simulation.SimulatedChunk;
import dev.wisent.sharding.balance.simulation.SimulatedCluster;
import dev.wisent.sharding.balance.simulation.SimulatedCollection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Clusters with data as tests want it. */
final class TestClusters {
  static final long MB = 1 << 20;
  static final long GB = 1 << 30;
  static final long CHUNK = 128 * MB;

  private TestClusters() {}

  /** Shards s0, s1 and so on. */
  static List<ShardLoad> shards(int count) {
    return IntStream.range(0, count).mapToObj(i -> ShardLoad.of("s" + i, 0)).toList();
  }

  /** A collection with full chunks: so many on the first shard, so many on the next. */
  static SimulatedCollection chunks(String name, int... onShards) {
    var list = new ArrayList<SimulatedChunk>();
    for (int shard = 0; shard < onShards.length; shard++) {
      for (int i = 0; i < onShards[shard]; i++) {
        list.add(chunk(list.size(), CHUNK, shard));
      }
    }
    return new SimulatedCollection(name, CHUNK, onShards.length, list);
  }

  /** The n-th chunk has the keys from 1000 n on. */
  static SimulatedChunk chunk(int number, long bytes, int shard) {
    return new SimulatedChunk(number == 0 ? SimulatedChunk.LEAST : 1000L * number, bytes, shard);
  }

  static SimulatedCollection of(int shards, SimulatedChunk... chunks) {
    return new SimulatedCollection("db.c", CHUNK, shards, List.of(chunks));
  }

  /** A cluster whose shards have so many gigabytes of one collection. */
  static SimulatedCluster gigabytes(int... onShards) {
    int perGigabyte = (int) (GB / CHUNK);
    return new SimulatedCluster(
        shards(onShards.length),
        List.of(chunks("db.c", Arrays.stream(onShards).map(gb -> gb * perGigabyte).toArray())));
  }

  static List<Long> gigabytesOf(SimulatedCluster cluster) {
    return IntStream.range(0, cluster.shardCount())
        .mapToObj(shard -> Math.round((double) cluster.bytes(shard) / GB))
        .toList();
  }

  /** The shards of the chunks, in order. */
  static String owners(SimulatedCollection collection) {
    var out = new StringBuilder();
    for (int i = 0; i < collection.size(); i++) {
      out.append(i == 0 ? "" : " ").append('s').append(collection.shard(i));
    }
    return out.toString();
  }
}
