package dev.wisent.cluster.shard.split;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.ownership.WriteSamples.Sample;
import dev.wisent.sharding.Chunk;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.sharding.ShardKeyPattern;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How much was written to the chunks of a collection since each was measured. */
final class ChunkGrowth {
  /** Beyond this many chunks those with the fewest bytes are forgotten. */
  private static final int CHUNKS_MAX = 10_000;

  private final Map<ByteBuffer, Long> bytes = new HashMap<>(); // by encoded lower bound

  private final List<Cut> cuts = new ArrayList<>();

  /**
   * Keys of a chunk that was just split, encoded.
   *
   * @param to exclusive
   */
  private record Cut(byte[] from, byte[] to) {
    boolean has(Sample sample) {
      return Arrays.compareUnsigned(sample.key(), from) >= 0
          && Arrays.compareUnsigned(sample.key(), to) < 0;
    }
  }

  /**
   * A chunk was split. Its parts are measured, but for those at the ends of the collection, which
   * grow on.
   */
  void cut(ShardKeyPattern key, ChunkRange chunk, List<RawDocument> points) {
    boolean lowest = chunk.min().equals(key.globalMin());
    boolean highest = chunk.max().equals(key.globalMax());
    cuts.add(
        new Cut(
            key.encode(lowest ? points.getFirst() : chunk.min()),
            key.encode(highest ? points.getLast() : chunk.max())));
  }

  /**
   * The samples without those of chunks that were split after the samples before these: what they
   * tell of was written before that, and has been measured with its chunk.
   */
  List<Sample> afterCuts(List<Sample> samples) {
    if (cuts.isEmpty()) {
      return samples;
    }
    List<Sample> others =
        samples.stream().filter(each -> cuts.stream().noneMatch(cut -> cut.has(each))).toList();
    cuts.clear();
    return others;
  }

  void add(RoutingTable table, List<Sample> samples) {
    for (Sample sample : samples) {
      Chunk chunk = table.chunkOf(sample.key());
      bytes.merge(id(table.key(), chunk), sample.bytes(), Long::sum);
    }
    if (bytes.size() > CHUNKS_MAX) {
      List<Long> sorted = bytes.values().stream().sorted().toList();
      long least = sorted.get(sorted.size() / 2);
      bytes.values().removeIf(written -> written < least);
    }
  }

  private static ByteBuffer id(ShardKeyPattern key, Chunk chunk) {
    return ByteBuffer.wrap(key.encode(chunk.range().min()));
  }

  /** Takes the chunks that have got at least so many bytes out of the account. */
  List<Chunk> take(RoutingTable table, long least) {
    var grown = new ArrayList<Chunk>();
    bytes
        .entrySet()
        .removeIf(
            each -> {
              boolean isGrown = each.getValue() >= least;
              if (isGrown) {
                grown.add(table.chunkOf(each.getKey().array()));
              }
              return isGrown;
            });
    return grown;
  }

  /** A chunk that could not be measured is to be taken again. */
  void giveBack(RoutingTable table, Chunk chunk, long least) {
    bytes.merge(id(table.key(), chunk), least, Long::sum);
  }
}
