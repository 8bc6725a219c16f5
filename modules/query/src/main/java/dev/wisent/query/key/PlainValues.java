package dev.wisent.query.key;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;

/** Values at paths that may not lead through arrays. */
public final class PlainValues {
  private PlainValues() {}

  /** The value at the path, the first array on the way, or null. */
  public static RawValue valueOrArray(RawDocument document, FieldPath path) {
    RawValue value = document.get(path.part(0));
    for (int i = 1; i < path.length() && value != null && !value.isArray(); i++) {
      value = value.isDocument() ? value.asDocument().get(path.part(i)) : null;
    }
    return value;
  }

  /** The beginning of the path, up to the first array on the way. */
  static String pathToArray(RawDocument document, FieldPath path) {
    var way = new StringBuilder(path.name(0));
    RawValue value = document.get(path.part(0));
    for (int i = 1; i < path.length() && !value.isArray(); i++) {
      way.append('.').append(path.name(i));
      value = value.asDocument().get(path.part(i));
    }
    return way.toString();
  }
}
