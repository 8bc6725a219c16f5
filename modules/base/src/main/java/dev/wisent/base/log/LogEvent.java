package dev.wisent.base.log;

/**
 * One call of a logging method.
 *
 * @param context who was at work, such as {@code conn12}
 * @param keyValues names and values in turn
 * @param error what went wrong, or null
 * @param startupWarning whether {@code getLog: "startupWarnings"} shows it
 */
record LogEvent(
    LogSeverity severity,
    LogComponent component,
    int id,
    String context,
    String message,
    Object[] keyValues,
    Throwable error,
    boolean startupWarning) {}
