package dev.wisent.database.collection;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/** How much a capped collection may hold; a maximum of 0 documents means no such limit. */
public record CappedLimits(long bytesMax, long documentsMax) {
  /** The limits in a collection's options; null if it is not capped. */
  static CappedLimits of(RawDocument options) {
    RawValue capped = options.get("capped");
    if (capped == null || !capped.isTruthy()) {
      return null;
    }
    RawValue size = options.get("size");
    RawValue max = options.get("max");
    return new CappedLimits(
        size == null ? Long.MAX_VALUE : size.toLong(), max == null ? 0 : max.toLong());
  }

  public boolean isExceededBy(long documents, long bytes) {
    return bytes > bytesMax || (documentsMax > 0 && documents > documentsMax);
  }
}
