package dev.wisent.database.planner;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;

/** A sort by {@code $natural}, the order in which documents lie. */
final class NaturalSort {
  private static final String NATURAL = "$natural";

  private NaturalSort() {}

  /** Refuses a hint that does not agree with such a sort. */
  static Query checkHint(Query query) {
    RawValue direction = query.sortSource().get(NATURAL);
    RawValue hint = query.hint();
    if (direction == null || hint == null) {
      return query;
    }
    RawValue hinted = hint.isDocument() ? hint.asDocument().get(NATURAL) : null;
    if (hinted == null) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "index hint not allowed with $natural sort order");
    }
    if (hinted.toDouble() != direction.toDouble()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "$natural hint must be in the same direction as $natural sort order");
    }
    return query;
  }
}
