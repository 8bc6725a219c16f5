package dev.wisent.sharding;

import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Chooses the keys at which a chunk that has grown too large is split. All its keys come in
 * ascending order.
 *
 * <p>A chunk between others is cut into pieces of half the size, the only chunk of a collection
 * into halves or into whole chunks. The first or last chunk of a collection grows at its open end
 * if keys only rise or fall: it is cut into whole chunks, and what comes next gets a chunk of its
 * own behind the last key, or before the first.
 */
public final class GrowthPoints {
  private final ShardKeyPattern pattern;
  private final boolean top;
  private final boolean bottom;
  private final long limit;
  private final SplitPoints pieces;
  private final byte[] min;
  private RawDocument first;
  private RawDocument last;
  private int found;
  private long tail;

  /**
   * @param documents how many the chunk has, about
   * @param documentsMax how many a chunk may have
   */
  public GrowthPoints(
      ShardKeyPattern pattern, ChunkRange chunk, long documents, long documentsMax) {
    boolean lowest = chunk.min().equals(pattern.globalMin());
    boolean highest = chunk.max().equals(pattern.globalMax());
    this.pattern = pattern;
    this.top = highest && !lowest && !pattern.isHashed();
    this.bottom = lowest && !highest && !pattern.isHashed();
    this.limit = Math.max(1, limit(lowest && highest, documents, documentsMax));
    this.pieces = new SplitPoints(pattern, limit, 0);
    this.min = pattern.encode(chunk.min());
  }

  /** How many documents a piece has. */
  private long limit(boolean only, long documents, long documentsMax) {
    if (top || bottom || (only && documents > 2 * documentsMax)) {
      return documentsMax;
    }
    return Math.min(documents, only ? Long.MAX_VALUE : documentsMax) / 2;
  }

  /** Takes the next key; false when no more are needed. */
  public boolean add(RawDocument key) {
    boolean more = pieces.add(key, 1);
    tail++;
    if (pieces.count() > found) {
      found = pieces.count();
      tail = 0;
    }
    if (first == null) {
      first = key.detached();
    }
    last = key;
    return more;
  }

  /** The keys, ascending; none where all documents have one key. */
  public List<RawDocument> points() {
    var points = new ArrayList<>(pieces.points());
    if (first == null || isSame(first, last)) {
      return List.of();
    }
    boolean isShort = tail < limit / 2;
    if (isShort && ((top || bottom) ? !points.isEmpty() : points.size() > 1)) {
      points.removeLast();
    }
    if (top && (points.isEmpty() || !isSame(points.getLast(), last))) {
      points.add(last.detached());
    }
    if (bottom && !Arrays.equals(pattern.encode(first), min)) {
      points.addFirst(first);
    }
    return points;
  }

  private boolean isSame(RawDocument one, RawDocument other) {
    return Arrays.equals(pattern.encode(one), pattern.encode(other));
  }
}
