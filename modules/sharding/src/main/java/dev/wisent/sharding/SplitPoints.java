package dev.wisent.sharding;

import dev.wisent.base.Limits;
import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Chooses the keys at which a range is split, as {@code splitVector} does: the keys of the range
 * come in ascending order, and the first one behind each limit begins a new chunk. All documents
 * with one key stay together, so that a key that was chosen, or that the range begins with, is not
 * chosen again.
 *
 * <p>Weights are the sizes of documents, or 1 for each to count them. For a split in the middle the
 * limit is half the weight of the range.
 */
public final class SplitPoints {
  /** What an array in a reply needs for each element, about. */
  private static final int BYTES_PER_ELEMENT = 16;

  private final ShardKeyPattern pattern;
  private final long limit;
  private final int pointsMax;
  private final List<RawDocument> points = new ArrayList<>();
  private byte[] last;
  private long weight;
  private long replyBytes;

  /**
   * @param limit the weight after which the next other key is chosen
   * @param pointsMax how many keys are wanted; 0 for all
   */
  public SplitPoints(ShardKeyPattern pattern, long limit, int pointsMax) {
    this.pattern = pattern;
    this.limit = limit;
    this.pointsMax = pointsMax;
  }

  /** The limit for chunks of at most this size: pieces of half of it leave room to grow. */
  public static long limitOf(long chunkBytesMax) {
    return Math.max(1, chunkBytesMax / 2);
  }

  /** How many documents of an average size make a piece of a chunk of at most this size. */
  public static long countOf(long chunkBytesMax, long documentBytes) {
    return Math.max(1, chunkBytesMax / (2 * Math.max(1, documentBytes)));
  }

  /**
   * Takes the next key.
   *
   * @param key the fields of the shard key, in its order
   * @return false when no more keys are needed
   */
  public boolean add(RawDocument key, long keyWeight) {
    if (last == null) {
      last = pattern.encode(key);
      weight += keyWeight;
      return true;
    }
    if (weight < limit) {
      weight += keyWeight;
      return true;
    }
    byte[] encoded = pattern.encode(key);
    if (Arrays.equals(encoded, last)) {
      weight += keyWeight;
      return true;
    }
    replyBytes += key.length() + BYTES_PER_ELEMENT;
    if (replyBytes > Limits.DOCUMENT_BYTES_MAX) {
      return false;
    }
    points.add(key.detached());
    last = encoded;
    // The chosen key does not count, as in MongoDB.
    weight = 0;
    return pointsMax == 0 || points.size() < pointsMax;
  }

  /** How many keys are chosen. */
  int count() {
    return points.size();
  }

  /** The chosen keys, ascending. */
  public List<RawDocument> points() {
    return List.copyOf(points);
  }
}
