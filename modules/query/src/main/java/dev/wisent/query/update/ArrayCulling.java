package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;

/** Takes the elements that meet a condition out of an array. */
final class ArrayCulling {
  private ArrayCulling() {}

  /** The array without them, or null where there is none. Both operators speak of {@code $pull}. */
  static RawValue cull(RawValue current, ElementCondition condition) {
    if (!current.isArray()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "Cannot apply $pull to a non-array value");
    }
    var kept = new ArrayList<RawValue>();
    int size = 0;
    ElementCursor cursor = current.elements();
    while (cursor.next()) {
      size++;
      RawValue element = cursor.value();
      if (!condition.matches(element)) {
        kept.add(element);
      }
    }
    return kept.size() == size ? null : ArrayValues.toArray(kept);
  }
}
