package dev.wisent.sharding.balance;

import dev.wisent.bson.RawDocument;
import dev.wisent.sharding.ChunkRange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Which chunks of a collection can be made fewer: neighbours on one shard are merged, and a small
 * chunk goes to the shard of a neighbour, to be merged with it. No result is larger than a chunk,
 * and none crosses the border of a zone.
 *
 * @param chunks all of the collection, in the order of their keys
 * @param borders where zones begin and end
 */
public record Fragments(List<Fragment> chunks, Set<RawDocument> borders, long chunkBytes) {
  /** A chunk is small if it has less than this part of the size; as in MongoDB. */
  private static final int SMALL_PART = 4;

  /** So many neighbours are merged at once, in one transaction of the metadata. */
  public static final int RUN_CHUNKS_MAX = 500;

  /**
   * A chunk.
   *
   * @param shard the number of its shard
   * @param fixed whether it stays as it is and where it is
   */
  public record Fragment(ChunkRange range, int shard, long bytes, boolean fixed) {}

  /** Neighbours on one shard, from one number to before another; at least two. */
  public record Run(int from, int to) {
    public int size() {
      return to - from;
    }
  }

  /** A small chunk, and the number of the shard that it goes to. */
  public record Move(int chunk, int to) {}

  public Fragments {
    chunks = List.copyOf(chunks);
    borders = Set.copyOf(borders);
  }

  /** What is merged, from the first key on; what has been merged may be part of a next run. */
  public List<Run> runs() {
    var runs = new ArrayList<Run>();
    int from = 0;
    long bytes = 0;
    for (int i = 0; i < chunks.size(); i++) {
      boolean joins =
          i > from
              && i - from < RUN_CHUNKS_MAX
              && areNeighbours(i - 1, i)
              && chunks.get(i).shard() == chunks.get(from).shard()
              && bytes + chunks.get(i).bytes() <= chunkBytes;
      if (!joins) {
        addRun(runs, from, i);
        from = i;
        bytes = 0;
      }
      bytes += chunks.get(i).bytes();
    }
    addRun(runs, from, chunks.size());
    return runs;
  }

  private static void addRun(List<Run> runs, int from, int to) {
    if (to - from > 1) {
      runs.add(new Run(from, to));
    }
  }

  private boolean areNeighbours(int left, int right) {
    return !chunks.get(left).fixed()
        && !chunks.get(right).fixed()
        && !borders.contains(chunks.get(right).range().min());
  }

  /**
   * The migrations that can run at the same time: each shard takes part in one at most.
   *
   * @param free whether a shard takes part in none so far
   * @param receives whether a shard may get more
   */
  public List<Move> moves(IntPredicate free, IntPredicate receives) {
    var moves = new ArrayList<Move>();
    var busy = new HashSet<Integer>();
    IntPredicate available = shard -> free.test(shard) && !busy.contains(shard);
    for (int i = 0; i < chunks.size(); i++) {
      int to = target(i, receives);
      if (to >= 0 && available.test(chunks.get(i).shard()) && available.test(to)) {
        moves.add(new Move(i, to));
        busy.add(chunks.get(i).shard());
        busy.add(to);
      }
    }
    return moves;
  }

  /** How many chunks are still to be moved, now or later. */
  public int toBeMoved(IntPredicate receives) {
    int count = 0;
    for (int i = 0; i < chunks.size(); i++) {
      count += target(i, receives) >= 0 ? 1 : 0;
    }
    return count;
  }

  /** The shard that a chunk goes to; negative where it stays. */
  private int target(int chunk, IntPredicate receives) {
    if (chunks.get(chunk).bytes() * SMALL_PART >= chunkBytes
        || isMergeable(chunk - 1, chunk)
        || isMergeable(chunk, chunk + 1)) {
      return -1; // One that is merged where it is does not move, so that none moves twice.
    }
    int left = target(chunk, chunk - 1, receives) ? chunk - 1 : -1;
    int right = target(chunk, chunk + 1, receives) ? chunk + 1 : -1;
    if (left >= 0 && right >= 0) {
      return chunks
          .get(chunks.get(left).bytes() <= chunks.get(right).bytes() ? left : right)
          .shard();
    }
    int only = Math.max(left, right);
    return only < 0 ? -1 : chunks.get(only).shard();
  }

  private boolean isMergeable(int left, int right) {
    return left >= 0
        && right < chunks.size()
        && areNeighbours(left, right)
        && chunks.get(left).shard() == chunks.get(right).shard()
        && chunks.get(left).bytes() + chunks.get(right).bytes() <= chunkBytes;
  }

  /** Of two small ones the smaller goes to the other. */
  private boolean target(int chunk, int other, IntPredicate receives) {
    if (other < 0
        || other >= chunks.size()
        || !areNeighbours(Math.min(chunk, other), Math.max(chunk, other))) {
      return false;
    }
    long own = chunks.get(chunk).bytes();
    long others = chunks.get(other).bytes();
    return chunks.get(chunk).shard() != chunks.get(other).shard()
        && own + others <= chunkBytes
        && (own < others || (own == others && chunk < other))
        && receives.test(chunks.get(other).shard());
  }
}
