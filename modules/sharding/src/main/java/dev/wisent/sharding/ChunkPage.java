package dev.wisent.sharding;

import java.util.Arrays;
import java.util.List;

/**
 * Some consecutive chunks of a {@link RoutingTable}. Their lower bounds lie one after the other in
 * one array, each as its encoded key and the type bits behind it.
 */
final class ChunkPage {
  private static final int JUMBO = 1;

  private final byte[] pool;

  /** Where each key begins, where its type bits begin, and at last where they end. */
  private final int[] offsets;

  /** Indexes of shards, shifted left by one, with the flag of jumbo chunks. */
  private final int[] owners;

  private final long[] versions;

  /** The shards that have chunks here, and the newest version of each. */
  private final int[] shards;

  private final long[] newest;

  private ChunkPage(byte[] pool, int[] offsets, int[] owners, long[] versions) {
    this.pool = pool;
    this.offsets = offsets;
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
    int count = chunks.size();
    byte[] pool = new byte[chunks.stream().mapToInt(chunk -> chunk.min().length()).sum()];
    int[] offsets = new int[2 * count + 1];
    int[] owners = new int[count];
    long[] versions = new long[count];
    for (int i = 0; i < count; i++) {
      EncodedChunk chunk = chunks.get(i);
      EncodedBound min = chunk.min();
      System.arraycopy(min.bytes(), min.start(), pool, offsets[2 * i], min.length());
      offsets[2 * i + 1] = offsets[2 * i] + min.keyEnd() - min.start();
      offsets[2 * i + 2] = offsets[2 * i] + min.length();
      owners[i] = chunk.shard() << 1 | (chunk.jumbo() ? JUMBO : 0);
      versions[i] = chunk.version();
    }
    return new ChunkPage(pool, offsets, owners, versions);
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

  EncodedBound min(int i) {
    return new EncodedBound(pool, offsets[2 * i], offsets[2 * i + 1], offsets[2 * i + 2]);
  }

  /** How the lower bound of a chunk compares with a key. */
  int compareMin(int i, byte[] key) {
    return Arrays.compareUnsigned(pool, offsets[2 * i], offsets[2 * i + 1], key, 0, key.length);
  }

  /** The last chunk whose lower bound is not above the key, or -1. */
  int floor(byte[] key) {
    int low = 0;
    int high = owners.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (compareMin(middle, key) <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
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
