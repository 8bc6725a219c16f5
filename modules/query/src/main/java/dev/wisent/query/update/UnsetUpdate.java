package dev.wisent.query.update;

import dev.wisent.bson.RawValue;

/** {@code $unset}. The argument does not matter; array elements become null. */
record UnsetUpdate() implements FieldOperator {
  @Override
  public RawValue modify(RawValue current, Target target) {
    return REMOVED;
  }

  @Override
  public RawValue create() {
    return null;
  }

  @Override
  public boolean ignoresBlockedPath() {
    return true;
  }
}
