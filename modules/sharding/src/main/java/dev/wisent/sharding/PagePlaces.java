package dev.wisent.sharding;

import java.util.List;

/** The places of the chunks of a page, of which most have not moved. */
final class PagePlaces {
  private static final PagePlaces NONE = new PagePlaces(null, null, null, 0);

  /** Where the places of each chunk begin; null where no chunk has moved. */
  private final int[] starts;

  private final long[] since;
  private final int[] shards;
  private final long newest;

  private PagePlaces(int[] starts, long[] since, int[] shards, long newest) {
    this.starts = starts;
    this.since = since;
    this.shards = shards;
    this.newest = newest;
  }

  static PagePlaces of(List<EncodedChunk> chunks) {
    int count = 0;
    for (EncodedChunk chunk : chunks) {
      count += chunk.places() == null ? 0 : chunk.places().size();
    }
    if (count == 0) {
      return NONE;
    }
    int[] starts = new int[chunks.size() + 1];
    long[] since = new long[count];
    int[] shards = new int[count];
    int next = 0;
    long newest = 0;
    for (int i = 0; i < chunks.size(); i++) {
      starts[i] = next;
      ChunkPlaces places = chunks.get(i).places();
      for (int each = 0; places != null && each < places.size(); each++) {
        since[next] = places.since(each);
        shards[next++] = places.shard(each);
        newest = Long.compareUnsigned(places.since(each), newest) > 0 ? places.since(each) : newest;
      }
    }
    starts[chunks.size()] = next;
    return new PagePlaces(starts, since, shards, newest);
  }

  /** Whether all chunks have been where they are since a time. */
  boolean areSame(long time) {
    return Long.compareUnsigned(newest, time) <= 0;
  }

  /** Null for a chunk that has not moved. */
  ChunkPlaces of(int chunk) {
    if (starts == null || starts[chunk] == starts[chunk + 1]) {
      return null;
    }
    int count = starts[chunk + 1] - starts[chunk];
    long[] times = new long[count];
    int[] places = new int[count];
    System.arraycopy(since, starts[chunk], times, 0, count);
    System.arraycopy(shards, starts[chunk], places, 0, count);
    return new ChunkPlaces(times, places);
  }
}
