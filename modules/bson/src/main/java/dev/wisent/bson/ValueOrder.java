package dev.wisent.bson;

/** MongoDB's order of values across types. */
public final class ValueOrder {
  private ValueOrder() {}

  public static int compare(RawValue a, RawValue b) {
    throw new UnsupportedOperationException();
  }
}
