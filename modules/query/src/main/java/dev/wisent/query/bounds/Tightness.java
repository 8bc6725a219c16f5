package dev.wisent.query.bounds;

/** How well intervals stand for the condition that they come from. */
public enum Tightness {
  /** A key in the intervals means that its document meets the condition. */
  EXACT,
  /** The value in the key has to be asked. */
  KEY,
  /** The document has to be asked. */
  FETCH;

  Tightness or(Tightness other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
