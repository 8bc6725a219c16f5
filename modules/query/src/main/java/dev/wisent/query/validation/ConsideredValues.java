package dev.wisent.query.validation;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.path.PathWalk;
import dev.wisent.query.schema.ErrorDetail;
import java.util.ArrayList;
import java.util.List;

/**
 * The values that a condition looked at, the first ten of them.
 *
 * @param values null where the path leads nowhere
 */
record ConsideredValues(List<RawValue> values, boolean truncated) {
  private static final int VALUES_MAX = 10;

  /** Arrays as they are. */
  static ConsideredValues whole(FieldPath path, RawDocument document) {
    return of(path, document, false);
  }

  /** The elements of arrays, without the arrays. */
  static ConsideredValues elements(FieldPath path, RawDocument document) {
    return of(path, document, true);
  }

  private static ConsideredValues of(FieldPath path, RawDocument document, boolean expand) {
    var values = new ArrayList<RawValue>();
    boolean[] found = {false};
    PathWalk.find(
        path,
        RawValue.ofDocument(document),
        0,
        false,
        value -> {
          if (value == null) {
            return true;
          }
          found[0] = true;
          if (expand && value.isArray()) {
            ElementCursor elements = value.elements();
            while (values.size() <= VALUES_MAX && elements.next()) {
              values.add(elements.value());
            }
          } else {
            values.add(value);
          }
          return values.size() > VALUES_MAX;
        });
    if (!found[0]) {
      return new ConsideredValues(null, false);
    }
    boolean truncated = values.size() > VALUES_MAX;
    return new ConsideredValues(
        truncated ? List.copyOf(values.subList(0, VALUES_MAX)) : values, truncated);
  }

  boolean isMissing() {
    return values == null;
  }

  ErrorDetail appendTo(ErrorDetail error) {
    if (values == null) {
      return error;
    }
    error.consideredValues(values);
    return truncated ? error.flag("consideredValuesTruncated") : error;
  }
}
