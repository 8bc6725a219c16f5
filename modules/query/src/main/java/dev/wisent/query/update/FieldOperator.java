package dev.wisent.query.update;

import dev.wisent.bson.RawValue;

/**
 * What one update operator does to one field. Parsed once and applied to many documents, so
 * implementations are immutable; what they need of a document they are given.
 */
interface FieldOperator {
  /** The result of {@link #modify} that takes the field away (sets it to null in an array). */
  RawValue REMOVED = new RawValue((byte) 0, new byte[0], 0, 0);

  /** The new value of a field that exists, null to leave it as it is, or {@link #REMOVED}. */
  RawValue modify(RawValue current, Target target);

  /** The value of a field that does not exist, or null to create none. */
  RawValue create();

  /** Levels of nesting that the operator may add below its field. */
  default int addedDepth() {
    return 0;
  }

  /** Applies only when an upsert inserts. */
  default boolean insertOnly() {
    return false;
  }

  /**
   * Whether a missing field is of no concern even where something stands in its way: {@code a.b}
   * with a number in {@code a}. Asked only of operators that create nothing.
   */
  default boolean ignoresBlockedPath() {
    return false;
  }

  /** Whether applying it twice may give two results: the fast path may have to start over. */
  default boolean isRepeatable() {
    return true;
  }
}
