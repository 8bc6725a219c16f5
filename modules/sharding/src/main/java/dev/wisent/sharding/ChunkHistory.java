package dev.wisent.sharding;

import dev.wisent.sharding.ChunkDocument.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * What {@code history} of a chunk becomes where the chunk changes. A router reads from it which
 * shards may have had the chunk at a time: those of the newest entry that is not later, and of the
 * next newer one. Entries with the same time are places of parts of the chunk.
 */
public final class ChunkHistory {
  /** How long it is known where a chunk has been: states of the past are kept so long. */
  private static final long KEPT_SECONDS = 300;

  private static final int ENTRIES_MAX = 100;

  private ChunkHistory() {}

  /**
   * After a move.
   *
   * @param now a cluster time later than the move
   */
  public static List<Placement> moved(List<Placement> history, long now, String to) {
    var moved = new ArrayList<Placement>();
    moved.add(new Placement(now, to));
    long until = now;
    int end;
    for (int first = 0; first < history.size(); first = end) {
      end = groupEnd(history, first);
      boolean old = (now >>> Integer.SIZE) - (until >>> Integer.SIZE) > KEPT_SECONDS;
      if (old || moved.size() + end - first > ENTRIES_MAX) {
        break;
      }
      moved.addAll(history.subList(first, end));
      until = history.get(first).validAfter();
    }
    return moved;
  }

  private static int groupEnd(List<Placement> history, int first) {
    int end = first + 1;
    while (end < history.size()
        && history.get(end).validAfter() == history.get(first).validAfter()) {
      end++;
    }
    return end;
  }

  /**
   * Of a chunk that is made of several. It goes back as far as that of each of them.
   *
   * @param histories of the parts, each with an entry at least
   */
  public static List<Placement> merged(List<List<Placement>> histories) {
    if (histories.stream().distinct().count() == 1) {
      return histories.getFirst();
    }
    var times = new TreeSet<Long>(Long::compareUnsigned);
    long oldest = 0;
    for (List<Placement> history : histories) {
      history.forEach(place -> times.add(place.validAfter()));
      long begin = history.getLast().validAfter();
      oldest = Long.compareUnsigned(begin, oldest) > 0 ? begin : oldest;
    }
    var merged = new ArrayList<Placement>();
    for (long time : times.tailSet(oldest, true).descendingSet()) {
      var shards = new TreeSet<String>();
      histories.forEach(history -> addAt(history, time, shards));
      if (!merged.isEmpty() && merged.size() + shards.size() > ENTRIES_MAX) {
        break;
      }
      shards.forEach(shard -> merged.add(new Placement(time, shard)));
    }
    return merged;
  }

  /** Adds the shards that may have had a chunk from one of its times on, until the next newer. */
  private static void addAt(List<Placement> history, long time, TreeSet<String> shards) {
    int end;
    int newer = -1;
    for (int first = 0; first < history.size(); first = end) {
      end = groupEnd(history, first);
      if (Long.compareUnsigned(history.get(first).validAfter(), time) <= 0) {
        int from = newer < 0 ? first : newer;
        history.subList(from, end).forEach(place -> shards.add(place.shard()));
        return;
      }
      newer = first;
    }
  }
}
