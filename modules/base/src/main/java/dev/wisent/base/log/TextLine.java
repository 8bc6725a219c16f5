package dev.wisent.base.log;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;

/**
 * Formats an event for a terminal: {@code 23:59:59 WARN NETWORK conn12: message (name: value,
 * ...)}. A stack trace follows on lines of its own.
 */
final class TextLine {
  private static final int COMPONENT_CHARS = 8;
  private static final int ATTRIBUTE_CHARS_MAX = 500;

  private TextLine() {}

  static String format(LogEvent event, long wallMillis, ZoneId zone) {
    var out = new StringBuilder(160);
    LocalTime time = LocalTime.ofInstant(Instant.ofEpochMilli(wallMillis), zone);
    out.append(
        String.format("%02d:%02d:%02d ", time.getHour(), time.getMinute(), time.getSecond()));
    out.append(severity(event.severity())).append(' ');
    out.append(padded(event.component().logName())).append(' ');
    if (!event.context().isEmpty()) {
      out.append(event.context()).append(": ");
    }
    out.append(event.message());
    appendAttributes(out, event.keyValues());
    if (event.error() != null) {
      appendError(out, event.error());
    }
    return out.toString();
  }

  private static String severity(LogSeverity severity) {
    return switch (severity) {
      case FATAL -> "FATAL";
      case ERROR -> "ERROR";
      case WARNING -> "WARN ";
      case INFO -> "INFO ";
      case DEBUG_1, DEBUG_2, DEBUG_3, DEBUG_4, DEBUG_5 -> "DEBUG";
    };
  }

  private static String padded(String component) {
    return component.length() >= COMPONENT_CHARS
        ? component
        : component + " ".repeat(COMPONENT_CHARS - component.length());
  }

  private static void appendAttributes(StringBuilder out, Object[] pairs) {
    String separator = " (";
    for (int i = 0; i + 1 < pairs.length; i += 2) {
      out.append(separator).append(pairs[i]).append(": ");
      int start = out.length();
      if (pairs[i + 1] instanceof CharSequence text) {
        out.append(text);
      } else {
        LogLine.appendValue(out, pairs[i + 1]);
      }
      if (out.length() - start > ATTRIBUTE_CHARS_MAX) {
        out.setLength(start + ATTRIBUTE_CHARS_MAX);
        out.append("...");
      }
      separator = ", ";
    }
    if (pairs.length > 1) {
      out.append(')');
    }
  }

  private static void appendError(StringBuilder out, Throwable error) {
    out.append("\n  ").append(error);
    for (StackTraceElement frame : error.getStackTrace()) {
      out.append("\n    at ").append(frame);
    }
    for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) {
      out.append("\n  caused by ").append(cause);
    }
  }
}
