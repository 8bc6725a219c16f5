package dev.wisent.sharding.balance;

import dev.wisent.bson.RawDocument;
import dev.wisent.sharding.ChunkPositions;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.RoutingTable;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The chunks of a routing table; for one thread. */
public final class RoutedChunks implements ChunkView {
  private final ChunkPositions chunks;
  private final int[] shardNumbers;

  private RoutedChunks(ChunkPositions chunks, int[] shardNumbers) {
    this.chunks = chunks;
    this.shardNumbers = shardNumbers;
  }

  /**
   * The chunks, with the numbers that shards have in a list.
   *
   * @throws IllegalArgumentException where a chunk is on a shard that the list does not have
   */
  public static RoutedChunks of(RoutingTable table, List<ShardLoad> shards) {
    Map<String, Integer> numbers =
        IntStream.range(0, shards.size())
            .boxed()
            .collect(Collectors.toMap(number -> shards.get(number).name(), Function.identity()));
    ChunkPositions chunks = table.positions();
    return new RoutedChunks(
        chunks,
        chunks.shardNames().stream()
            .mapToInt(
                name -> {
                  Integer number = numbers.get(name);
                  if (number == null && table.shards().contains(name)) {
                    throw new IllegalArgumentException("chunks on the unknown shard " + name);
                  }
                  return number == null ? -1 : number;
                })
            .toArray());
  }

  @Override
  public int size() {
    return chunks.size();
  }

  @Override
  public int shard(int chunk) {
    return shardNumbers[chunks.shard(chunk)];
  }

  @Override
  public boolean isJumbo(int chunk) {
    return chunks.isJumbo(chunk);
  }

  @Override
  public ChunkRange range(int chunk) {
    return chunks.get(chunk).range();
  }

  @Override
  public int indexOf(RawDocument key) {
    return chunks.indexOf(key);
  }
}
