package dev.wisent.sharding.advice;

import dev.wisent.bson.RawDocument;
import dev.wisent.sharding.Chunk;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.bson.types.ObjectId;

/**
 * Ranges of a shard key with about as many documents each, judged by a sample. In the routing table
 * each is a shard of its own, whose name is its number.
 */
public final class KeyRanges {
  private static final ChunkVersion VERSION = new ChunkVersion(new ObjectId(0, 0), 1, 1, 0);

  private KeyRanges() {}

  /** An encoded key with its document. */
  public record EncodedKey(byte[] bytes, RawDocument key) {
    static final Comparator<EncodedKey> ORDER = (a, b) -> Arrays.compareUnsigned(a.bytes, b.bytes);

    public static EncodedKey of(ShardKeyPattern pattern, RawDocument document) {
      RawDocument key = pattern.keyOf(document);
      return new EncodedKey(pattern.encode(key), key);
    }
  }

  /**
   * Divides all keys.
   *
   * @param sample keys of documents, in any order
   * @param rangesMax at most so many; fewer where the sample has fewer values
   */
  public static RoutingTable of(ShardKeyPattern pattern, List<EncodedKey> sample, int rangesMax) {
    var sorted = new ArrayList<>(sample);
    sorted.sort(EncodedKey.ORDER);
    var bounds = new ArrayList<RawDocument>();
    byte[] last = sorted.isEmpty() ? null : sorted.getFirst().bytes();
    for (int i = 1; i < rangesMax && !sorted.isEmpty(); i++) {
      EncodedKey at = sorted.get((int) ((long) i * sorted.size() / rangesMax));
      if (Arrays.compareUnsigned(at.bytes(), last) > 0) {
        bounds.add(at.key());
        last = at.bytes();
      }
    }
    return table(pattern, bounds);
  }

  /** Ranges with given lower bounds, ascending; the first begins below all of them. */
  static RoutingTable table(ShardKeyPattern pattern, List<RawDocument> bounds) {
    var chunks = new ArrayList<Chunk>();
    RawDocument min = pattern.globalMin();
    for (RawDocument bound : bounds) {
      chunks.add(chunk(chunks.size(), min, bound));
      min = bound;
    }
    chunks.add(chunk(chunks.size(), min, pattern.globalMax()));
    return RoutingTable.of(pattern, VERSION, chunks);
  }

  private static Chunk chunk(int number, RawDocument min, RawDocument max) {
    return new Chunk(new ChunkRange(min, max), Integer.toString(number), VERSION, false);
  }

  /** The number of the range of an encoded key. */
  static int rangeOf(RoutingTable table, byte[] key) {
    return Integer.parseInt(table.shardOf(key));
  }
}
