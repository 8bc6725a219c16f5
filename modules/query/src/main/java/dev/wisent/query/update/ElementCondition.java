package dev.wisent.query.update;

import dev.wisent.bson.RawValue;

/** A condition on one element of an array. */
interface ElementCondition {
  /** Holds for every element, as {@code $[]} does. */
  ElementCondition ANY = element -> true;

  boolean matches(RawValue element);
}
