package dev.wisent.query.bounds;

import dev.wisent.query.collation.Collation;
import dev.wisent.query.path.FieldPath;

/**
 * One part of an index's keys, as far as bounds depend on it.
 *
 * @param name as explain prints it
 * @param path where the values are; null for the path in the keys of a wildcard index
 * @param arrayParts which parts of the path have met arrays: bit 0 for the first one
 * @param onlyPresent whether every key stands for a value that is there, as in a sparse index on
 *     this field alone
 * @param collation whose keys stand in the place of strings; null for strings as they are
 */
public record KeyPart(
    String name,
    FieldPath path,
    Kind kind,
    boolean descending,
    long arrayParts,
    boolean onlyPresent,
    Collation collation) {
  /** What the keys hold of a value. */
  public enum Kind {
    VALUE,
    /** Its hash. */
    HASH,
    /** Not the value but the path that it is at. */
    PATH,
    /** The cells that a place touches. */
    CELL,
    /** All values of a field as one, which says little about each. */
    TOGETHER
  }

  /** Whether a document may have several values here. */
  public boolean hasArray() {
    return arrayParts != 0;
  }

  /** Whether arrays were met on the way, so that a null may stand for an element without fields. */
  public boolean hasArrayOnTheWay() {
    long last = 1L << Math.min(path.length() - 1, Long.SIZE - 1);
    return (arrayParts & (last - 1)) != 0
        || (path.length() > Long.SIZE && (arrayParts & last) != 0);
  }

  /**
   * Whether the path may pick an array's element by its position. An array that is picked so is one
   * key, while {@code $elemMatch} looks at its elements.
   */
  public boolean mayPickElements() {
    for (int i = 1; i < path.length(); i++) {
      if (path.arrayIndex(i) >= 0) {
        return true;
      }
    }
    return false;
  }
}
