package dev.wisent.conformance.compatibility;

/** Whether something is there. */
enum Status {
  SUPPORTED,
  /** It is answered with a clear error, and that will stay. */
  REFUSED,
  /** It is answered with a clear error, so far. */
  PLANNED;

  String text() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
