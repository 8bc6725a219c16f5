package dev.wisent.tools.migrate;

/**
 * What is to be known before a migration.
 *
 * @param subject the collection, database or deployment that it is about
 */
record Finding(Severity severity, String subject, String text) {
  /** What it means. */
  enum Severity {
    /** It cannot be moved. */
    REFUSED,
    /** It is moved, but something is different afterwards. */
    WARNING
  }

  static Finding refused(String subject, String text) {
    return new Finding(Severity.REFUSED, subject, text);
  }

  static Finding warning(String subject, String text) {
    return new Finding(Severity.WARNING, subject, text);
  }

  boolean isRefused() {
    return severity == Severity.REFUSED;
  }

  @Override
  public String toString() {
    return "%s  %s: %s".formatted(isRefused() ? "refused" : "warning", subject, text);
  }
}
