package dev.wisent.pipeline.sort;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.key.IndexKeyExtractor;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.query.path.FieldPath;
import java.util.Arrays;

/**
 * The values that a document has its place in an order by, for those who want to see them: those of
 * the key that {@link SortKeyGenerator} makes, with their types. Under a collation strings are the
 * keys of strings. Belongs to one thread.
 */
public final class SortKeyValues {
  private final IndexKeyExtractor extractor;
  private final boolean[] descending;

  /** The fields that are sorted by; null where more than their values decides. */
  private final FieldPath[] paths;

  private byte[] first;
  private byte[] typeBits;

  public SortKeyValues(SortPattern pattern) {
    KeyPattern keys = SortKeyGenerator.keys(pattern);
    this.extractor = new IndexKeyExtractor(keys, false);
    this.descending = keys.descending();
    boolean plain =
        pattern.collation() == null
            && pattern.parts().stream().allMatch(part -> part.metadata() == null);
    this.paths =
        plain
            ? pattern.parts().stream().map(SortPattern.Part::path).toArray(FieldPath[]::new)
            : null;
  }

  /** An array with a value for each part of the pattern; null where there is none. */
  public RawDocument of(RawDocument document) {
    RawDocument plain = paths == null ? null : plain(document);
    if (plain != null) {
      return plain;
    }
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

  /** The values as they stand in a document; null where they are not all of a simple kind. */
  private RawDocument plain(RawDocument document) {
    var array = new BsonBuilder();
    for (int i = 0; i < paths.length; i++) {
      RawDocument parent = document;
      for (int part = 0; part < paths[i].length() - 1; part++) {
        RawValue inner = parent.get(paths[i].part(part));
        if (inner == null || !inner.isDocument()) {
          return null;
        }
        parent = inner.asDocument();
      }
      RawValue value = parent.get(paths[i].part(paths[i].length() - 1));
      if (value == null || !isShownAsItIs(value.type())) {
        return null;
      }
      array.append(i, value);
    }
    return array.toDocument();
  }

  private static boolean isShownAsItIs(byte type) {
    return switch (type) {
      case ElementType.INT32,
          ElementType.INT64,
          ElementType.STRING,
          ElementType.DATE,
          ElementType.OBJECT_ID,
          ElementType.BOOLEAN ->
          true;
      default -> false;
    };
  }

  private void offer(IndexKeyV1.Encoder key) {
    byte[] bytes = key.toByteArray();
    if (first == null || Arrays.compareUnsigned(bytes, first) < 0) {
      first = bytes;
      typeBits = key.typeBitsToByteArray();
    }
  }
}
