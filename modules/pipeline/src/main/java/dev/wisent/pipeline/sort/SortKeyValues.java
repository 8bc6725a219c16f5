package dev.wisent.pipeline.sort;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.key.IndexKeyExtractor;
import dev.wisent.query.key.KeyPattern;
import java.util.Arrays;

/**
 * The values that a document has its place in an order by, for those who want to see them: those of
 * the key that {@link SortKeyGenerator} makes, with their types. Under a collation strings are the
 * keys of strings. Belongs to one thread.
 */
public final class SortKeyValues {
  private final IndexKeyExtractor extractor;
  private final boolean[] descending;
  private byte[] first;
  private byte[] typeBits;

  public SortKeyValues(SortPattern pattern) {
    KeyPattern keys = SortKeyGenerator.keys(pattern);
    this.extractor = new IndexKeyExtractor(keys, false);
    this.descending = keys.descending();
  }

  /** An array with a value for each part of the pattern; null where there is none. */
  public RawDocument of(RawDocument document) {
    first = null;
    SortKeyGenerator.extract(extractor, document, this::offer);
    RawValue[] values =
        IndexKeyV1.decode(first, 0, first.length, typeBits, 0, typeBits.length, descending);
    var array = new BsonBuilder();
    for (int i = 0; i < values.length; i++) {
      array.append(i, values[i]);
    }
    return array.toDocument();
  }

  private void offer(IndexKeyV1.Encoder key) {
    byte[] bytes = key.toByteArray();
    if (first == null || Arrays.compareUnsigned(bytes, first) < 0) {
      first = bytes;
      typeBits = key.typeBitsToByteArray();
    }
  }
}
