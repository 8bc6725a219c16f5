package dev.wisent.base.log;

/**
 * An attribute that writes itself as JSON, for values the log does not know (documents, plans).
 * Called at most once, and only when the line is written.
 */
@FunctionalInterface
public interface LogValue {
  /** Appends exactly one JSON value, without line breaks. */
  void appendJson(StringBuilder out);

  /** The same without what clients have stored or asked. */
  default void appendRedacted(StringBuilder out) {
    out.append('"').append(Redaction.HIDDEN).append('"');
  }
}
