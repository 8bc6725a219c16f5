package dev.wisent.query.path;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.function.Consumer;

/**
 * All values at a path, arrays at its end as a whole: a pair of coordinates is an array too. Arrays
 * on the way are entered, unless the next part is a number: then only that element counts.
 */
public final class PathValues {
  private static final int PART_BIT_LAST = Long.SIZE - 1;

  private PathValues() {}

  /**
   * Calls back with each value.
   *
   * @return which parts of the path were arrays that had to be entered: bit 0 for the first. Parts
   *     from the 64th on share the last bit.
   */
  public static long forEach(RawDocument document, FieldPath path, Consumer<RawValue> action) {
    return walk(document, path, 0, action);
  }

  private static long walk(RawDocument at, FieldPath path, int part, Consumer<RawValue> action) {
    RawValue value = at.get(path.part(part));
    if (value == null) {
      return 0;
    }
    int next = part + 1;
    if (next == path.length()) {
      action.accept(value);
      return 0;
    }
    if (value.isDocument() || (value.isArray() && path.arrayIndex(next) >= 0)) {
      return walk(value.asDocument(), path, next, action);
    }
    if (!value.isArray()) {
      return 0;
    }
    long arrays = 1L << Math.min(part, PART_BIT_LAST);
    ElementCursor elements = value.elements();
    while (elements.next()) {
      RawValue element = elements.value();
      if (element.isDocument() || element.isArray()) {
        arrays |= walk(element.asDocument(), path, next, action);
      }
    }
    return arrays;
  }
}
