package dev.wisent.sharding;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Where a chunk has been since when, the newest place first. Of places with the same time each may
 * have a part of the chunk.
 *
 * <p>The times are those at which the config servers have noted the moves. A chunk has come to its
 * place before that, and after it was noted that it had come to the one before. So at a time
 * between two of them it may be in either place, and each shard knows what it had.
 */
final class ChunkPlaces {
  private final long[] since;
  private final int[] shards;

  /**
   * @param since cluster times, descending
   * @param shards the index of each place in the table
   */
  ChunkPlaces(long[] since, int[] shards) {
    this.since = since;
    this.shards = shards;
  }

  /**
   * From the {@code history} of a chunk's document; null where it was nowhere else in all the time
   * of its collection.
   *
   * @param begin of the collection, a cluster time
   */
  static ChunkPlaces of(RawValue history, long begin, RoutingTableBuilder table) {
    if (history == null || !history.isArray()) {
      return null;
    }
    long[] since = new long[4];
    int[] shards = new int[4];
    int count = 0;
    for (ElementCursor places = history.elements(); places.next(); count++) {
      RawDocument place = places.value().asDocument();
      long time = place.get("validAfter").asInt64();
      if (count == 0 && Long.compareUnsigned(time, begin) <= 0) {
        return null;
      }
      if (count == since.length) {
        since = Arrays.copyOf(since, 2 * count);
        shards = Arrays.copyOf(shards, 2 * count);
      }
      since[count] = time;
      shards[count] = table.indexOf(place.get("shard").asString());
    }
    return count == 0
        ? null
        : new ChunkPlaces(Arrays.copyOf(since, count), Arrays.copyOf(shards, count));
  }

  /**
   * The places after a move that the config servers have not noted yet.
   *
   * @param before null where it was nowhere else
   * @param from where it was then
   * @param begin of the collection, a cluster time
   */
  static ChunkPlaces moved(ChunkPlaces before, int from, int to, long begin) {
    ChunkPlaces known =
        before == null ? new ChunkPlaces(new long[] {begin}, new int[] {from}) : before;
    int count = known.size();
    long[] since = new long[count + 1];
    int[] shards = new int[count + 1];
    since[0] = RoutingTable.NEWEST;
    shards[0] = to;
    System.arraycopy(known.since, 0, since, 1, count);
    System.arraycopy(known.shards, 0, shards, 1, count);
    return new ChunkPlaces(since, shards);
  }

  int size() {
    return since.length;
  }

  long since(int i) {
    return since[i];
  }

  int shard(int i) {
    return shards[i];
  }

  /** Adds the indexes of the shards that may have had the chunk at a time. */
  void addAt(long time, BitSet found) {
    int at = 0;
    while (at < since.length && Long.compareUnsigned(since[at], time) > 0) {
      at++;
    }
    if (at == since.length) {
      throw new CommandException(
          ErrorCode.STALE_CHUNK_HISTORY,
          "it is not known any more where a chunk was at the time that is read at");
    }
    addGroup(at, found);
    if (at > 0) {
      int newer = at - 1;
      while (newer > 0 && since[newer - 1] == since[newer]) {
        newer--;
      }
      addGroup(newer, found);
    }
  }

  private void addGroup(int first, BitSet found) {
    for (int i = first; i < since.length && since[i] == since[first]; i++) {
      found.set(shards[i]);
    }
  }
}
