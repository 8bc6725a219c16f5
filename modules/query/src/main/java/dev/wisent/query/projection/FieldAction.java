package dev.wisent.query.projection;

import dev.wisent.query.expression.Expression;
import dev.wisent.query.match.ElemMatch;

/** What happens to a field that a projection names. */
sealed interface FieldAction {
  /** The field is sent as it is. */
  record Keep() implements FieldAction {}

  /** The field is left out. */
  record Drop() implements FieldAction {}

  /**
   * The projection goes on inside the field.
   *
   * @param positional whether a positional projection is somewhere below
   */
  record Inside(ProjectionNode node, boolean positional) implements FieldAction {}

  /**
   * The field is computed. What the document has in its place is left out first; the values are
   * laid over the rest ({@link ComputedFields}).
   */
  record Computed(Expression expression) implements FieldAction {}

  /** Of an array, the element that matched the query. */
  record Positional() implements FieldAction {}

  /** Of an array, the first element that meets a condition of its own. */
  record FirstMatch(ElemMatch condition) implements FieldAction {}

  /**
   * Of an array, some elements in a row.
   *
   * @param skip where to start, from the end if negative; null to start at the beginning, or with a
   *     negative limit so that the end is reached
   */
  record Slice(Integer skip, int limit) implements FieldAction {
    int start(int size) {
      if (skip == null) {
        return limit < 0 ? (int) Math.max(0, (long) size + limit) : 0;
      }
      return skip < 0 ? (int) Math.max(0, (long) size + skip) : Math.min(size, skip);
    }

    int end(int size) {
      int start = start(size);
      return limit < 0 ? size : (int) Math.min(size, (long) start + limit);
    }
  }
}
