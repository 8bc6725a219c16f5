package dev.wisent.query.sort;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.key.IndexKeyExtractor;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.query.key.KeySink;
import java.util.Arrays;

/**
 * Makes sort keys: byte arrays whose unsigned order is the order of the pattern.
 *
 * <p>A document is sorted by the first of the keys that an index on the pattern would have for it.
 * So a missing field sorts as null, an empty array before it; of an array the element that comes
 * first counts: the smallest when ascending, the largest when descending; and fields from the same
 * array are taken from the same element. Belongs to one thread.
 */
public final class SortKeyGenerator {
  private static final byte[] NO_KEY = {};

  private final IndexKeyExtractor extractor;
  private final KeySink sink = this::offer;
  private byte[] first;

  public SortKeyGenerator(SortPattern pattern) {
    this.extractor = pattern.isEmpty() ? null : new IndexKeyExtractor(keys(pattern), false);
  }

  private static KeyPattern keys(SortPattern pattern) {
    return new KeyPattern(
        pattern.parts().stream()
            .map(part -> new KeyPattern.Field(part.path(), part.descending()))
            .toList(),
        pattern.collation());
  }

  public byte[] key(RawDocument document) {
    if (extractor == null) {
      return NO_KEY;
    }
    first = null;
    try {
      extractor.extract(document, sink);
    } catch (CommandException e) {
      if (e.code() != ErrorCode.CANNOT_INDEX_PARALLEL_ARRAYS) {
        throw e;
      }
      throw new CommandException(
          ErrorCode.BAD_VALUE, "cannot sort with keys that are parallel arrays");
    }
    return first;
  }

  private void offer(IndexKeyV1.Encoder key) {
    if (first == null
        || Arrays.compareUnsigned(key.bytes(), 0, key.length(), first, 0, first.length) < 0) {
      first = key.toByteArray();
    }
  }
}
