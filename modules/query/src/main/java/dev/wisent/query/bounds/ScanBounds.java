package dev.wisent.query.bounds;

import dev.wisent.bson.RawDocument;
import java.util.List;

/** Which keys of an index a scan looks at. */
public sealed interface ScanBounds {
  /**
   * Intervals for each part of the index's keys, in their order.
   *
   * @param fields as many as the keys have parts
   */
  record ByField(List<FieldIntervals> fields) implements ScanBounds {
    public ByField {
      fields = List.copyOf(fields);
    }
  }

  /**
   * All keys from one to another, as {@code min} and {@code max} give them: inclusive, exclusive.
   *
   * @param min null for the first key
   * @param max null for the last key
   */
  record ByKey(RawDocument min, RawDocument max) implements ScanBounds {}
}
