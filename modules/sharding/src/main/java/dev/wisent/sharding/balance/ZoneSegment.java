package dev.wisent.sharding.balance;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueOrder;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ZoneRange;
import java.util.ArrayList;
import java.util.List;

/**
 * Consecutive chunks of one zone, or of none. The first and the last may be in it with a part only.
 *
 * @param last inclusive
 * @param zone null for none
 */
record ZoneSegment(int first, int last, String zone, ChunkRange range) {
  /** All keys of a collection, in order. */
  static List<ZoneSegment> of(ChunkView chunks, List<ZoneRange> zones) {
    var segments = new ArrayList<ZoneSegment>();
    RawDocument at = chunks.range(0).min();
    RawDocument end = chunks.range(chunks.size() - 1).max();
    for (ZoneRange zone : zones) {
      add(chunks, new ChunkRange(at, zone.range().min()), null, segments);
      add(chunks, zone.range(), zone.zone(), segments);
      at = zone.range().max();
    }
    add(chunks, new ChunkRange(at, end), null, segments);
    return segments;
  }

  private static void add(
      ChunkView chunks, ChunkRange range, String zone, List<ZoneSegment> segments) {
    if (ValueOrder.compare(range.min(), range.max()) >= 0) {
      return;
    }
    int last = chunks.indexOf(range.max());
    if (last > 0 && ValueOrder.compare(chunks.range(last).min(), range.max()) == 0) {
      last--;
    }
    segments.add(new ZoneSegment(chunks.indexOf(range.min()), last, zone, range));
  }

  /** What of a chunk is in the segment. */
  ChunkRange part(ChunkView chunks, int chunk) {
    if (chunk != first && chunk != last) {
      return chunks.range(chunk);
    }
    ChunkRange whole = chunks.range(chunk);
    return new ChunkRange(
        chunk == first ? range.min() : whole.min(), chunk == last ? range.max() : whole.max());
  }

  /** How much of a chunk is probably in the segment. */
  double share(ChunkView chunks, int chunk) {
    if (chunk != first && chunk != last) {
      return 1;
    }
    ChunkRange whole = chunks.range(chunk);
    double share = 1;
    if (chunk == first && ValueOrder.compare(whole.min(), range.min()) != 0) {
      share /= 2;
    }
    if (chunk == last && ValueOrder.compare(whole.max(), range.max()) != 0) {
      share /= 2;
    }
    return share;
  }
}
