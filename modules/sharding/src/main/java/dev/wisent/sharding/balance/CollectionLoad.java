package dev.wisent.sharding.balance;

import dev.wisent.operation.Namespace;
import dev.wisent.sharding.ZoneRange;
import java.util.List;
import java.util.Set;

/**
 * A collection as the balancer sees it.
 *
 * @param chunkBytes the size of its chunks, and the most that one migration moves
 * @param zones ascending, with all fields of the shard key
 * @param held numbers of chunks that stay where they are for now, because a migration has failed
 * @param movesJumbo whether jumbo chunks are moved as others are
 */
public record CollectionLoad(
    Namespace namespace,
    long chunkBytes,
    ChunkView chunks,
    CollectionSizes sizes,
    List<ZoneRange> zones,
    Set<Integer> held,
    GrowingEnd growingEnd,
    boolean movesJumbo) {
  public CollectionLoad {
    zones = List.copyOf(zones);
    held = Set.copyOf(held);
  }

  public static CollectionLoad of(
      Namespace namespace, long chunkBytes, ChunkView chunks, CollectionSizes sizes) {
    return new CollectionLoad(
        namespace, chunkBytes, chunks, sizes, List.of(), Set.of(), GrowingEnd.NONE, false);
  }

  public CollectionLoad withZones(List<ZoneRange> ranges) {
    return new CollectionLoad(
        namespace, chunkBytes, chunks, sizes, ranges, held, growingEnd, movesJumbo);
  }

  public CollectionLoad growingAt(GrowingEnd end) {
    return new CollectionLoad(namespace, chunkBytes, chunks, sizes, zones, held, end, movesJumbo);
  }

  public CollectionLoad holding(Set<Integer> some) {
    return new CollectionLoad(
        namespace, chunkBytes, chunks, sizes, zones, some, growingEnd, movesJumbo);
  }

  public CollectionLoad movingJumbo(boolean moves) {
    return new CollectionLoad(namespace, chunkBytes, chunks, sizes, zones, held, growingEnd, moves);
  }
}
