package dev.wisent.query.sort;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;
import java.util.List;

/**
 * Makes sort keys: byte arrays whose unsigned order is the order of the pattern.
 *
 * <p>A missing field sorts as null, an empty array before it. Of an array the element that comes
 * first counts: the smallest when ascending, the largest when descending. Fields from the same
 * array are taken from the same element, as in an index.
 */
public final class SortKeyGenerator {
  private final SortPattern pattern;
  private final IndexKeyV1.Encoder encoder = new IndexKeyV1.Encoder();

  public SortKeyGenerator(SortPattern pattern) {
    this.pattern = pattern;
  }

  public byte[] key(RawDocument document) {
    List<SortPattern.Part> parts = pattern.parts();
    encoder.reset();
    for (int i = 0; i < parts.size(); i++) {
      SortPattern.Part part = parts.get(i);
      RawValue value = valueOrArray(document, part.path());
      if (value.isArray()) {
        return keyWithArrays(document);
      }
      encoder.append(value, part.descending());
    }
    return encoder.toByteArray();
  }

  private byte[] keyWithArrays(RawDocument document) {
    RawValue[] values = new ArrayExpansion(pattern).first(document);
    encoder.reset();
    for (int i = 0; i < values.length; i++) {
      encoder.append(values[i], pattern.parts().get(i).descending());
    }
    return encoder.toByteArray();
  }

  /** The value at the path, or the first array on the way to it. */
  private static RawValue valueOrArray(RawDocument document, FieldPath path) {
    RawValue value = document.get(path.part(0));
    for (int i = 1; i < path.length(); i++) {
      if (value == null || value.type() != ElementType.DOCUMENT) {
        return value != null && value.isArray() ? value : RawValue.NULL;
      }
      value = value.asDocument().get(path.part(i));
    }
    return value == null ? RawValue.NULL : value;
  }
}
