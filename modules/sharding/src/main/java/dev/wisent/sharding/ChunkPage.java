package dev.wisent.sharding;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Some consecutive chunks of a {@link RoutingTable}. */
final class ChunkPage {
  private static final int JUMBO = 1;

  /** The lower bounds. */
  private final SortedBounds mins;

  /** Indexes of shards, shifted left by one, with the flag of jumbo chunks. */
  private final int[] owners;

  private final long[] versions;

  /** The shards that have chunks here, and the newest version of each. */
  private final int[] shards;

  private final long[] newest;

  private final PagePlaces places;

  private ChunkPage(SortedBounds mins, int[] owners, long[] versions, PagePlaces places) {
    this.places = places;
    this.mins = mins;
    this.owners = owners;
    this.versions = versions;
    this.shards = Arrays.stream(owners).map(owner -> owner >>> 1).sorted().distinct().toArray();
    this.newest = new long[shards.length];
    for (int i = 0; i < owners.length; i++) {
      int at = Arrays.binarySearch(shards, owners[i] >>> 1);
      newest[at] = Math.max(newest[at], versions[i]);
    }
  }

  static ChunkPage of(List<EncodedChunk> chunks) {
    int[] owners = new int[chunks.size()];
    long[] versions = new long[chunks.size()];
    for (int i = 0; i < owners.length; i++) {
      EncodedChunk chunk = chunks.get(i);
      owners[i] = chunk.shard() << 1 | (chunk.jumbo() ? JUMBO : 0);
      versions[i] = chunk.version();
    }
    var mins = new SortedBounds(chunks.stream().map(EncodedChunk::min).toList());
    return new ChunkPage(mins, owners, versions, PagePlaces.of(chunks));
  }

  int size() {
    return owners.length;
  }

  int shard(int i) {
    return owners[i] >>> 1;
  }

  boolean isJumbo(int i) {
    return (owners[i] & JUMBO) != 0;
  }

  long version(int i) {
    return versions[i];
  }

  /** Where a chunk has been; null where that is the same shard all the time. */
  ChunkPlaces places(int i) {
    return places.of(i);
  }

  /** Whether all chunks have been where they are since a time. */
  boolean isSame(long time) {
    return places.areSame(time);
  }

  /** Adds the shards that may have had a chunk at a time. */
  void addAt(int i, long time, BitSet found) {
    ChunkPlaces known = places.areSame(time) ? null : places.of(i);
    if (known == null) {
      found.set(shard(i));
    } else {
      known.addAt(time, found);
    }
  }

  EncodedBound min(int i) {
    return mins.get(i);
  }

  /** How the lower bound of a chunk compares with a key. */
  int compareMin(int i, byte[] key) {
    return mins.compare(i, key);
  }

  /** The last chunk whose lower bound is not above the key, or -1. */
  int floor(byte[] key) {
    return mins.floor(key);
  }

  /** Indexes of the shards that have chunks here, ascending. */
  int[] shards() {
    return shards;
  }

  boolean hasChunksOf(int shard) {
    return Arrays.binarySearch(shards, shard) >= 0;
  }

  /** Raises each shard's version to the newest one here. */
  void raise(long[] versionOfShard) {
    for (int i = 0; i < shards.length; i++) {
      versionOfShard[shards[i]] = Math.max(versionOfShard[shards[i]], newest[i]);
    }
  }
}
