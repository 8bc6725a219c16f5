package dev.wisent.sharding;

import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** What ranges of a shard key have that others do not. */
public final class RangeDifference {
  private final ShardKeyPattern key;

  public RangeDifference(ShardKeyPattern key) {
    this.key = key;
  }

  /** The keys of some disjoint ranges without those of others, ascending. */
  public List<ChunkRange> of(List<ChunkRange> ranges, List<ChunkRange> removed) {
    List<ChunkRange> from = sorted(ranges);
    List<ChunkRange> taken = sorted(removed);
    var rest = new ArrayList<ChunkRange>();
    int next = 0;
    for (ChunkRange range : from) {
      RawDocument low = range.min();
      while (next < taken.size() && compare(taken.get(next).max(), low) <= 0) {
        next++;
      }
      for (int i = next; i < taken.size() && compare(taken.get(i).min(), range.max()) < 0; i++) {
        if (compare(low, taken.get(i).min()) < 0) {
          rest.add(new ChunkRange(low, taken.get(i).min()));
        }
        if (compare(taken.get(i).max(), low) > 0) {
          low = taken.get(i).max();
        }
      }
      if (compare(low, range.max()) < 0) {
        rest.add(new ChunkRange(low, range.max()));
      }
    }
    return rest;
  }

  private List<ChunkRange> sorted(List<ChunkRange> ranges) {
    return ranges.stream()
        .sorted(Comparator.comparing(range -> key.encode(range.min()), Arrays::compareUnsigned))
        .toList();
  }

  private int compare(RawDocument one, RawDocument other) {
    return Arrays.compareUnsigned(key.encode(one), key.encode(other));
  }
}
