package dev.wisent.pipeline.join;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;
import java.util.function.Consumer;

/**
 * The values at a path that documents are joined by. An array at its end stands for its elements;
 * one on the way is entered, unless the next part is a number: then only that element counts.
 */
final class JoinValues {
  private JoinValues() {}

  /** Shows all values; a path that leads nowhere has none. */
  static void forEach(RawDocument document, FieldPath path, Consumer<RawValue> action) {
    walk(document, path, 0, action);
  }

  private static void walk(
      RawDocument document, FieldPath path, int part, Consumer<RawValue> action) {
    RawValue value = document.get(path.part(part));
    int next = part + 1;
    while (value != null && next < path.length() && value.isArray() && path.arrayIndex(next) >= 0) {
      value = element(value, path.arrayIndex(next++));
    }
    if (value == null) {
      return;
    }
    if (next == path.length()) {
      end(value, action);
    } else if (value.isDocument()) {
      walk(value.asDocument(), path, next, action);
    } else if (value.isArray()) {
      ElementCursor elements = value.elements();
      while (elements.next()) {
        RawValue element = elements.value();
        if (element.isDocument()) {
          walk(element.asDocument(), path, next, action);
        }
      }
    }
  }

  private static void end(RawValue value, Consumer<RawValue> action) {
    if (!value.isArray()) {
      action.accept(value);
      return;
    }
    ElementCursor elements = value.elements();
    while (elements.next()) {
      action.accept(elements.value());
    }
  }

  private static RawValue element(RawValue array, int index) {
    ElementCursor elements = array.elements();
    for (int i = 0; elements.next(); i++) {
      if (i == index) {
        return elements.value();
      }
    }
    return null;
  }
}
