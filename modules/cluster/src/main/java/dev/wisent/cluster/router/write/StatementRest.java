package dev.wisent.cluster.router.write;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.sharding.ChunkRange;
import java.util.List;

/**
 * What is left of a statement for a shard: documents whose keys are in all of these ranges.
 *
 * @param ranges of the shard key; null for all that the shard has
 * @param earlier of keys that the collection had when other parts were executed
 */
record StatementRest(List<ChunkRange> ranges, List<EarlierRanges> earlier) {
  static final StatementRest ALL = new StatementRest(null, List.of());

  /** Ranges of a key that the collection has no longer. */
  record EarlierRanges(RawDocument key, List<ChunkRange> ranges) {}

  boolean isAll() {
    return ranges == null && earlier.isEmpty();
  }

  /** As the shard gets it, in the field {@code routing}. */
  void append(BsonBuilder out) {
    if (ranges != null) {
      append(ranges, out);
    }
    if (!earlier.isEmpty()) {
      out.startArray("earlier");
      for (int i = 0; i < earlier.size(); i++) {
        out.startDocument(i).appendDocument("key", earlier.get(i).key());
        append(earlier.get(i).ranges(), out);
        out.end();
      }
      out.end();
    }
  }

  private static void append(List<ChunkRange> ranges, BsonBuilder out) {
    out.startArray("ranges");
    for (int i = 0; i < ranges.size(); i++) {
      out.startDocument(i);
      ranges.get(i).append(out);
      out.end();
    }
    out.end();
  }
}
