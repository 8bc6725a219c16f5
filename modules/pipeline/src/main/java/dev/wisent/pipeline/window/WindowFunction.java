package dev.wisent.pipeline.window;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.query.expression.Dependencies;

/** A window function with its arguments, parsed. Immutable; every run begins one of its own. */
interface WindowFunction {
  /** Whether nothing but its value would be missing if it were not computed. */
  default boolean isOnlyAValue() {
    return false;
  }

  RunningFunction begin();

  /** Appends the function and its window, as explain shows them. */
  void explain(BsonBuilder out);

  /** Tells which parts of a document are read. */
  void addDependencies(Dependencies dependencies);
}
