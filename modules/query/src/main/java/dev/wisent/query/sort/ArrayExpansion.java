package dev.wisent.query.sort;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.query.path.FieldPath;

/**
 * Finds the sort key of a document with arrays: the first, in the order of the pattern, of the keys
 * that an index on the pattern would have for it.
 */
final class ArrayExpansion {
  private final SortPattern pattern;
  private final int size;
  private RawValue[] best;

  ArrayExpansion(SortPattern pattern) {
    this.pattern = pattern;
    this.size = pattern.parts().size();
  }

  RawValue[] first(RawDocument document) {
    var start = new State(size);
    for (int i = 0; i < size; i++) {
      start.values[i] = RawValue.ofDocument(document);
    }
    expand(start);
    return best;
  }

  /** How far each field has come: a value, and the next part to follow from it. */
  private static final class State {
    private static final int DONE = Integer.MAX_VALUE;

    private final RawValue[] values;
    private final int[] next;

    State(int size) {
      values = new RawValue[size];
      next = new int[size];
    }

    State(State other) {
      values = other.values.clone();
      next = other.next.clone();
    }

    void finish(int field, RawValue value) {
      values[field] = value;
      next[field] = DONE;
    }

    boolean isDone(int field) {
      return next[field] == DONE;
    }
  }

  private void expand(State state) {
    RawValue array = null;
    for (int i = 0; i < size; i++) {
      follow(state, i);
      if (state.isDone(i)) {
        continue;
      }
      if (array == null) {
        array = state.values[i];
      } else if (array.offset() != state.values[i].offset()) {
        throw new CommandException(
            ErrorCode.BAD_VALUE, "cannot sort with keys that are parallel arrays");
      }
    }
    if (array == null) {
      offer(state.values);
    } else {
      expandArray(state, array);
    }
  }

  /** Follows one field until it is done or stands on an array. */
  private void follow(State state, int field) {
    FieldPath path = path(field);
    while (!state.isDone(field)) {
      RawValue value = state.values[field];
      if (value.isArray()) {
        return;
      }
      if (state.next[field] == path.length()) {
        state.finish(field, value);
        return;
      }
      RawValue child =
          value.isDocument() ? value.asDocument().get(path.part(state.next[field])) : null;
      if (child == null) {
        state.finish(field, RawValue.NULL);
      } else {
        state.values[field] = child;
        state.next[field]++;
      }
    }
  }

  private void expandArray(State state, RawValue array) {
    ElementCursor elements = array.elements();
    boolean empty = true;
    while (elements.next()) {
      empty = false;
      var inner = new State(state);
      for (int i = 0; i < size; i++) {
        if (!state.isDone(i)) {
          enter(inner, i, array, elements.value());
        }
      }
      expand(inner);
    }
    if (empty) {
      for (int i = 0; i < size; i++) {
        if (!state.isDone(i)) {
          boolean atEnd = state.next[i] == path(i).length();
          state.finish(i, atEnd ? RawValue.UNDEFINED : RawValue.NULL);
        }
      }
      offer(state.values);
    }
  }

  /** Moves one field from an array into one of its elements. */
  private void enter(State state, int field, RawValue array, RawValue element) {
    int part = state.next[field];
    if (part == path(field).length()) {
      state.finish(field, element);
      return;
    }
    boolean named =
        element.isDocument() && element.asDocument().get(path(field).part(part)) != null;
    RawValue positioned = named ? null : elementAt(array, path(field).arrayIndex(part));
    if (positioned != null && part + 1 == path(field).length() && isFilledArray(positioned)) {
      // An array that is the end of the path by its position counts as one value.
      state.finish(field, positioned);
    } else if (positioned != null) {
      state.values[field] = positioned;
      state.next[field] = part + 1;
    } else if (element.type() == ElementType.DOCUMENT) {
      state.values[field] = element;
    } else {
      state.finish(field, RawValue.NULL);
    }
  }

  private static boolean isFilledArray(RawValue value) {
    return value.isArray() && !value.asDocument().isEmpty();
  }

  private static RawValue elementAt(RawValue array, int index) {
    ElementCursor elements = array.elements();
    for (int i = 0; i <= index && elements.next(); i++) {
      if (i == index) {
        return elements.value();
      }
    }
    return null;
  }

  private FieldPath path(int field) {
    return pattern.parts().get(field).path();
  }

  private void offer(RawValue[] values) {
    if (best == null || isBefore(values, best)) {
      best = values;
    }
  }

  private boolean isBefore(RawValue[] values, RawValue[] others) {
    for (int i = 0; i < size; i++) {
      int order = ValueOrder.compare(values[i], others[i]);
      if (order != 0) {
        return (order < 0) != pattern.parts().get(i).descending();
      }
    }
    return false;
  }
}
