package dev.wisent.database.plan;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Index;

/** Whether an index, read forwards or backwards, gives the order that a sort asks for. */
final class SortOrder {
  private SortOrder() {}

  /** 1 if reading forwards does, -1 if backwards does, 0 if neither. */
  static int direction(Index index, IndexBounds bounds, RawDocument sort) {
    if (bounds.ranges().size() != 1) {
      return 0;
    }
    for (int start = 0; start <= bounds.pointFields(); start++) {
      int direction = directionFrom(index, start, bounds.pointFields(), sort);
      if (direction != 0) {
        return direction;
      }
    }
    return 0;
  }

  private static int directionFrom(Index index, int start, int pointFields, RawDocument sort) {
    int field = start;
    int direction = 0;
    ElementCursor keys = sort.elements();
    while (keys.next()) {
      if (!keys.value().isNumber()) {
        return 0;
      }
      // A field with one given value is in any order, and may also be left out of the sort.
      while (field < pointFields && !index.path(field).dotted().equals(keys.name())) {
        field++;
      }
      if (field >= index.fieldCount() || !index.path(field).dotted().equals(keys.name())) {
        return 0;
      }
      // Of several values a sort takes the first one of all, an index those within its bounds.
      if (index.hasArray(field)) {
        return 0;
      }
      if (field >= pointFields) {
        int wanted = keys.value().toLong() > 0 ? 1 : -1;
        int needed = index.isDescending(field) ? -wanted : wanted;
        if (direction != 0 && direction != needed) {
          return 0;
        }
        direction = needed;
      }
      field++;
    }
    return direction == 0 ? 1 : direction;
  }
}
