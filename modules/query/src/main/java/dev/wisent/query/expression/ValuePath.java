package dev.wisent.query.expression;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;

/**
 * Follows a path the way expressions do, which is not the way of filters: an array on the way gives
 * an array of what its documents have there, and numbers are names of fields only.
 */
public final class ValuePath {
  private ValuePath() {}

  /** The value at the rest of the path, from part {@code part} on; null where it is missing. */
  public static RawValue follow(FieldPath path, int part, RawValue start) {
    RawValue value = start;
    for (int i = part; i < path.length(); i++) {
      if (value == null) {
        return null;
      }
      if (value.type() == ElementType.DOCUMENT) {
        value = value.asDocument().get(path.part(i));
      } else {
        return value.type() == ElementType.ARRAY ? inElements(path, i, value) : null;
      }
    }
    return value;
  }

  private static RawValue inElements(FieldPath path, int part, RawValue array) {
    var out = new BsonBuilder();
    int count = 0;
    ElementCursor elements = array.elements();
    while (elements.next()) {
      if (elements.type() == ElementType.DOCUMENT) {
        RawValue nested = follow(path, part, elements.value());
        if (nested != null) {
          out.append(count++, nested);
        }
      }
    }
    return RawValue.ofArray(out.toDocument());
  }
}
