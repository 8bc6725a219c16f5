package dev.wisent.sharding;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * What one shard has of a sharded collection: the ranges of the shard key that it owns, sorted and
 * disjoint, and the version of its placement. Immutable.
 */
public final class OwnedRanges {
  private final Namespace namespace;
  private final UUID uuid;
  private final ShardKeyPattern key;
  private final boolean unique;
  private final ChunkVersion version;
  private final List<ChunkRange> ranges;
  private final byte[][] lows;
  private final byte[][] highs;
  private final byte[] greatest;
  private final boolean complete;

  public OwnedRanges(
      Namespace namespace,
      UUID uuid,
      ShardKeyPattern key,
      boolean unique,
      ChunkVersion version,
      List<ChunkRange> ranges) {
    this.namespace = namespace;
    this.uuid = uuid;
    this.key = key;
    this.unique = unique;
    this.version = version;
    List<ChunkRange> sorted =
        ranges.stream()
            .sorted(Comparator.comparing(range -> key.encode(range.min()), Arrays::compareUnsigned))
            .toList();
    this.ranges = sorted;
    this.lows = sorted.stream().map(range -> key.encode(range.min())).toArray(byte[][]::new);
    this.highs = sorted.stream().map(range -> key.encode(range.max())).toArray(byte[][]::new);
    this.greatest = key.encode(key.globalMax());
    this.complete =
        sorted.size() == 1
            && sorted.getFirst().min().equals(key.globalMin())
            && sorted.getFirst().max().equals(key.globalMax());
  }

  public Namespace namespace() {
    return namespace;
  }

  public UUID uuid() {
    return uuid;
  }

  public ShardKeyPattern key() {
    return key;
  }

  /** Whether the shard key is unique. */
  public boolean unique() {
    return unique;
  }

  public ChunkVersion version() {
    return version;
  }

  /** By their lower bounds. */
  public List<ChunkRange> ranges() {
    return ranges;
  }

  /** Whether every key is owned, so that no document need be asked. */
  public boolean isComplete() {
    return complete;
  }

  /** Whether an encoded key is owned. */
  public boolean owns(byte[] encoded) {
    return owns(encoded, encoded.length);
  }

  /** Whether the encoded key at the beginning of an array is owned. */
  boolean owns(byte[] encoded, int length) {
    int before = lastFrom(encoded, length);
    if (before < 0) {
      return false;
    }
    int order = compare(encoded, length, highs[before]);
    return order < 0 || (order == 0 && compare(encoded, length, greatest) == 0);
  }

  /** The last range that does not begin above a key, or -1. */
  private int lastFrom(byte[] encoded, int length) {
    int low = 0;
    int high = lows.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (compare(encoded, length, lows[middle]) >= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }

  private static int compare(byte[] encoded, int length, byte[] bound) {
    return Arrays.compareUnsigned(encoded, 0, length, bound, 0, bound.length);
  }

  /** Whether the shard key of a document is owned; one without a valid key is not. */
  public boolean owns(RawDocument document) {
    return new OwnedKeys(this).has(document);
  }
}
