package dev.wisent.sharding;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * A chunk on its way into a {@link RoutingTable}.
 *
 * @param shard the index of the shard in the table
 * @param version both numbers
 * @param places where it has been; null where that is the same shard all the time
 */
record EncodedChunk(
    EncodedBound min,
    EncodedBound max,
    int shard,
    long version,
    boolean jumbo,
    ChunkPlaces places) {
  private static final Comparator<EncodedChunk> BY_MIN = Comparator.comparing(EncodedChunk::min);

  EncodedChunk {
    if (min.compareTo(max) >= 0) {
      throw new CommandException(ErrorCode.BAD_VALUE, "a chunk has no key below its upper bound");
    }
  }

  /**
   * The newest chunks, by their lower bounds. A read of chunks that are changed meanwhile may find
   * a chunk several times, and chunks before and after a split or merge: what overlaps a newer
   * chunk is gone.
   */
  static List<EncodedChunk> newest(List<EncodedChunk> chunks) {
    var sorted = new ArrayList<>(chunks);
    sorted.sort(BY_MIN);
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i - 1).max.compareTo(sorted.get(i).min) > 0) {
        return withoutOverlaps(sorted);
      }
    }
    return sorted;
  }

  private static List<EncodedChunk> withoutOverlaps(List<EncodedChunk> chunks) {
    chunks.sort(Comparator.comparingLong(EncodedChunk::version));
    var byMin = new TreeMap<EncodedBound, EncodedChunk>();
    for (EncodedChunk chunk : chunks) {
      var before = byMin.lowerEntry(chunk.min);
      if (before != null && before.getValue().max.compareTo(chunk.min) > 0) {
        byMin.remove(before.getKey());
      }
      byMin.subMap(chunk.min, chunk.max).clear();
      byMin.put(chunk.min, chunk);
    }
    return new ArrayList<>(byMin.values());
  }

  /** Fails where chunks leave a gap or overlap, as they do if they were read while they changed. */
  static void requireContiguous(List<EncodedChunk> chunks, EncodedBound from, EncodedBound to) {
    EncodedBound end = from;
    for (EncodedChunk chunk : chunks) {
      requireSame(end, chunk.min);
      end = chunk.max;
    }
    requireSame(end, to);
  }

  private static void requireSame(EncodedBound end, EncodedBound start) {
    int order = end.compareTo(start);
    if (order != 0) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          order < 0
              ? "Gap exists in the routing table between chunks"
              : "Overlap exists in the routing table between chunks");
    }
  }
}
