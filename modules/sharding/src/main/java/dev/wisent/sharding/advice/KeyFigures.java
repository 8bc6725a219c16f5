package dev.wisent.sharding.advice;

import dev.wisent.bson.RawDocument;
import java.util.List;

/**
 * What a simulation has shown of a key.
 *
 * @param sampled how many documents were looked at
 * @param arrays how many have an array in the key, and cannot be stored
 * @param missing how many have no field of the key
 * @param distinct how many values there are in the sample
 * @param common the most common value; null without documents
 * @param commonShare the part of the documents that has it
 * @param correlation how the order of keys follows the order of insertion, from -1 to 1
 * @param busiestShare the part of the inserts of any time that the busiest shard has
 * @param warmShare the part of the data that the latest documents were inserted into
 * @param jumboValues values that alone are larger than a chunk after a month
 * @param jumboShare the part of the documents that has such a value
 * @param chunksAfterMonth how many chunks there are after a month
 * @param chunks those of the simulation, ascending
 * @param windows for each part of the time the inserts of each shard
 * @param queries what queries are for
 */
public record KeyFigures(
    int sampled,
    int arrays,
    int missing,
    long distinct,
    RawDocument common,
    double commonShare,
    double correlation,
    double busiestShare,
    double warmShare,
    long jumboValues,
    double jumboShare,
    long chunksAfterMonth,
    List<ChunkFigures> chunks,
    List<int[]> windows,
    QueryFigures queries) {

  /**
   * A chunk of the simulation.
   *
   * @param recent how many of its documents are among the latest
   */
  public record ChunkFigures(int shard, int documents, int recent, boolean jumbo) {}

  /**
   * Queries by the number of shards that they are for.
   *
   * @param shardsPerQuery the mean
   */
  public record QueryFigures(
      long total, long oneShard, long someShards, long allShards, double shardsPerQuery) {
    public double oneShardShare() {
      return total == 0 ? 0 : (double) oneShard / total;
    }

    public double allShardsShare() {
      return total == 0 ? 0 : (double) allShards / total;
    }
  }

  public KeyFigures {
    chunks = List.copyOf(chunks);
    windows = List.copyOf(windows);
  }

  /** The documents of each shard, as parts of all. */
  public double[] shares(int shards) {
    double[] shares = new double[shards];
    long total = Math.max(1, chunks.stream().mapToLong(ChunkFigures::documents).sum());
    chunks.forEach(chunk -> shares[chunk.shard()] += (double) chunk.documents() / total);
    return shares;
  }
}
