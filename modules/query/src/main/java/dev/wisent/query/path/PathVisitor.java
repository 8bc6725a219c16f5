package dev.wisent.query.path;

import dev.wisent.bson.RawValue;

/** Is shown the values at a path, one by one. */
@FunctionalInterface
public interface PathVisitor {
  /**
   * Returns true to end the walk here.
   *
   * @param value null where the path leads to nothing
   */
  boolean visit(RawValue value);

  /** The path is also followed from an element that one of its parts names by position. */
  default void positionEntered() {}
}
