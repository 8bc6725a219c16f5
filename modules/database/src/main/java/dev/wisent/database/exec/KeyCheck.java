package dev.wisent.database.exec;

/** Says of the keys that a scan meets, one after the other, whether they are within its bounds. */
abstract sealed class KeyCheck permits RangeCheck, FieldCheck {
  enum Verdict {
    WITHIN,
    /** Not within; the next key that may be is at {@link #target} or after it. */
    SEEK,
    /** Nothing that follows is within. */
    DONE
  }

  abstract Verdict check(byte[] key, int length);

  /** Where to look after {@link Verdict#SEEK}. */
  abstract byte[] target();
}
