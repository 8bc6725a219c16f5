package dev.wisent.sharding;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import java.util.ArrayList;
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
  private final boolean unsplittable;
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
    this(namespace, uuid, key, unique, version, ranges, false);
  }

  /**
   * @param unsplittable whether the collection is not sharded: one shard owns all of it
   */
  public OwnedRanges(
      Namespace namespace,
      UUID uuid,
      ShardKeyPattern key,
      boolean unique,
      ChunkVersion version,
      List<ChunkRange> ranges,
      boolean unsplittable) {
    this.unsplittable = unsplittable;
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

  /** Whether the collection is not sharded: one shard owns all of it. */
  public boolean unsplittable() {
    return unsplittable;
  }

  public ChunkVersion version() {
    return version;
  }

  /** By their lower bounds. */
  public List<ChunkRange> ranges() {
    return ranges;
  }

  /** What lies between the ranges, before the first and behind the last, ascending. */
  public List<ChunkRange> gaps() {
    var gaps = new ArrayList<ChunkRange>();
    RawDocument from = key.globalMin();
    for (ChunkRange range : ranges) {
      if (!range.min().equals(from)) {
        gaps.add(new ChunkRange(from, range.min()));
      }
      from = range.max();
    }
    if (!from.equals(key.globalMax())) {
      gaps.add(new ChunkRange(from, key.globalMax()));
    }
    return gaps;
  }

  /** The same in another version. */
  public OwnedRanges inVersion(ChunkVersion other) {
    return new OwnedRanges(namespace, uuid, key, unique, other, ranges, unsplittable);
  }

  /** The same version with other ranges. */
  public OwnedRanges withOnly(List<ChunkRange> others) {
    return new OwnedRanges(namespace, uuid, key, unique, version, others, unsplittable);
  }

  /** The same with another range, in a newer version; it joins the ranges beside it. */
  public OwnedRanges with(ChunkRange added, ChunkVersion newer) {
    var all = new ArrayList<ChunkRange>();
    ChunkRange joined = added;
    for (ChunkRange each : ranges) {
      if (each.max().equals(joined.min())) {
        joined = new ChunkRange(each.min(), joined.max());
      } else if (each.min().equals(joined.max())) {
        joined = new ChunkRange(joined.min(), each.max());
      } else {
        all.add(each);
      }
    }
    all.add(joined);
    return new OwnedRanges(namespace, uuid, key, unique, newer, all, unsplittable);
  }

  /** The same without a range that is in one of its own, in a newer version. */
  public OwnedRanges without(ChunkRange removed, ChunkVersion newer) {
    byte[] low = key.encode(removed.min());
    byte[] high = key.encode(removed.max());
    var rest = new ArrayList<ChunkRange>();
    for (int i = 0; i < lows.length; i++) {
      ChunkRange each = ranges.get(i);
      if (Arrays.compareUnsigned(highs[i], low) <= 0
          || Arrays.compareUnsigned(high, lows[i]) <= 0) {
        rest.add(each);
        continue;
      }
      if (Arrays.compareUnsigned(lows[i], low) < 0) {
        rest.add(new ChunkRange(each.min(), removed.min()));
      }
      if (Arrays.compareUnsigned(high, highs[i]) < 0) {
        rest.add(new ChunkRange(removed.max(), each.max()));
      }
    }
    return new OwnedRanges(namespace, uuid, key, unique, newer, rest, unsplittable);
  }

  /** Whether all keys of a range are owned. */
  public boolean covers(ChunkRange range) {
    byte[] low = key.encode(range.min());
    byte[] high = key.encode(range.max());
    for (int i = 0; i < lows.length; i++) {
      if (Arrays.compareUnsigned(lows[i], low) <= 0
          && Arrays.compareUnsigned(high, highs[i]) <= 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether some keys of a range are owned. */
  public boolean overlaps(ChunkRange range) {
    byte[] low = key.encode(range.min());
    byte[] high = key.encode(range.max());
    for (int i = 0; i < lows.length; i++) {
      if (Arrays.compareUnsigned(lows[i], high) < 0 && Arrays.compareUnsigned(low, highs[i]) < 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether every key is owned, so that no document need be asked. */
  public boolean isComplete() {
    return complete;
  }

  /** Whether the same keys of the same collection are owned, in the same version. */
  public boolean isSameAs(OwnedRanges other) {
    return this == other
        || (other != null
            && uuid.equals(other.uuid)
            && version.equals(other.version)
            && key.pattern().equals(other.key.pattern())
            && ranges.equals(other.ranges));
  }

  /** Whether others of the same collection, null for none, have every key of these. */
  public boolean isWithin(OwnedRanges others) {
    if (others == null
        || !uuid.equals(others.uuid)
        || !key.pattern().equals(others.key.pattern())) {
      return false;
    }
    for (int i = 0; i < lows.length; i++) {
      int at = others.lastFrom(lows[i], lows[i].length);
      if (at < 0 || Arrays.compareUnsigned(highs[i], others.highs[at]) > 0) {
        return false;
      }
    }
    return true;
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
